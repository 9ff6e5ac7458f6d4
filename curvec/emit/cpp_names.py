"""What no identifier of emitted C++ may be: keywords, macros, and names that the emitted text itself uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from curvec.emit.names import identifiers
from curvec.transforms import TRANSFORMS

__all__ = ["LOCALS", "NAMESPACES", "Reserved", "cpp_identifiers"]

_LONGEST = 40
"""Of a feature's identifier: longer names are cut, so that every emitted line keeps its shape."""

_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
double dynamic_cast else enum explicit export extern false final float for friend goto if import inline int long
module mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected public register
reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while
xor xor_eq
"""

# Object-like macros of the standard headers, of gcc's dialects, and of the widest-spread platform headers.
_MACROS = """
ACCESSPERMS ACCOUNTING ALLPERMS B0 B1000000 B110 B115200 B1152000 B1200 B134 B150 B1500000 B1800 B19200 B200 B2000000
B230400 B2400 B2500000 B300 B3000000 B3500000 B38400 B4000000 B460800 B4800 B50 B500000 B57600 B576000 B600 B75
B921600 B9600 BRKINT BS0 BS1 BSDLY CANBSIZ CBAUD CBAUDEX CBRK CDISCARD CDSUSP CEOF CEOL CEOT CERASE CFLUSH CIBAUD
CINTR CKILL CLNEXT CLOCAL CMIN CMSPAR CQUIT CR0 CR1 CR2 CR3 CRDLY CREAD CREPRINT CRPRNT CRTSCTS CS5 CS6 CS7 CS8
CSIGNAL CSIZE CSTART CSTATUS CSTOP CSTOPB CSUSP CTIME CWERASE DEFFILEMODE EADV EBADE EBADFD EBADR EBADRQC EBADSLT
EBFONT ECHO ECHOCTL ECHOE ECHOK ECHOKE ECHONL ECHOPRT ECHRNG ECOMM EDEADLOCK EDOTDOT EDQUOT EHOSTDOWN EHWPOISON EISNAM
EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG
EMEDIUMTYPE EMPTY EMULTIHOP ENAVAIL ENOANO ENOCSI ENOKEY ENOMEDIUM ENONET ENOPKG ENOTNAM ENOTUNIQ EPFNOSUPPORT EREMCHG
EREMOTE EREMOTEIO ERESTART ERFKILL ESHUTDOWN ESOCKTNOSUPPORT ESRMNT ESTALE ESTRPIPE ETOOMANYREFS EUCLEAN EUNATCH
EUSERS EXFULL EXTA EXTB EXTPROC FAPPEND FASYNC FF0 FF1 FFDLY FFSYNC FIOASYNC FIOCLEX FIOGETOWN FIONBIO FIONCLEX
FIONREAD FIOQSIZE FIOSETOWN FLUSHO FNDELAY FNONBLOCK HUPCL HZ ICANON ICRNL IEXTEN IGNBRK IGNCR IGNPAR IMAXBEL INLCR
INPCK ISIG ISTRIP IUCLC IUTF8 IXANY IXOFF IXON MAXHOSTNAMELEN MAXNAMLEN MAXPATHLEN MAXSYMLINKS MINSIGSTKSZ NBBY NCARGS
NCC NCCS NFDBITS NGREG NGROUPS NL0 NL1 NLDLY NODEV NOFILE NOFLSH NOGROUP NSIG OCRNL OFDEL OFILL OLCUC ONLCR ONLRET
ONOCR OPOST PARENB PARMRK PARODD PENDIN POLLERR POLLHUP POLLIN POLLMSG POLLNVAL POLLOUT POLLPRI POLLRDBAND POLLRDHUP
POLLRDNORM POLLREMOVE POLLWRBAND POLLWRNORM SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT
SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTKSZ SIGSTOP
SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIOCADDDLCI
SIOCADDMULTI SIOCADDRT SIOCATMARK SIOCDARP SIOCDELDLCI SIOCDELMULTI SIOCDELRT SIOCDEVPRIVATE SIOCDIFADDR SIOCDRARP
SIOCGARP SIOCGIFADDR SIOCGIFBR SIOCGIFBRDADDR SIOCGIFCONF SIOCGIFCOUNT SIOCGIFDSTADDR SIOCGIFENCAP SIOCGIFFLAGS
SIOCGIFHWADDR SIOCGIFINDEX SIOCGIFMAP SIOCGIFMEM SIOCGIFMETRIC SIOCGIFMTU SIOCGIFNAME SIOCGIFNETMASK SIOCGIFPFLAGS
SIOCGIFSLAVE SIOCGIFTXQLEN SIOCGPGRP SIOCGRARP SIOCPROTOPRIVATE SIOCRTMSG SIOCSARP SIOCSIFADDR SIOCSIFBR
SIOCSIFBRDADDR SIOCSIFDSTADDR SIOCSIFENCAP SIOCSIFFLAGS SIOCSIFHWADDR SIOCSIFHWBROADCAST SIOCSIFLINK SIOCSIFMAP
SIOCSIFMEM SIOCSIFMETRIC SIOCSIFMTU SIOCSIFNAME SIOCSIFNETMASK SIOCSIFPFLAGS SIOCSIFSLAVE SIOCSIFTXQLEN SIOCSPGRP
SIOCSRARP SIOGIFINDEX SNANF SNANF128 SNANF32 SNANF32X SNANF64 SNANF64X SNANL SOMAXCONN TAB0 TAB1 TAB2 TAB3 TABDLY
TCFLSH TCGETA TCGETS TCGETS2 TCGETX TCIFLUSH TCIOFF TCIOFLUSH TCION TCOFLUSH TCOOFF TCOON TCSADRAIN TCSAFLUSH TCSANOW
TCSBRK TCSBRKP TCSETA TCSETAF TCSETAW TCSETS TCSETS2 TCSETSF TCSETSF2 TCSETSW TCSETSW2 TCSETX TCSETXF TCSETXW TCXONC
TIOCCBRK TIOCCONS TIOCEXCL TIOCGDEV TIOCGETD TIOCGEXCL TIOCGICOUNT TIOCGISO7816 TIOCGLCKTRMIOS TIOCGPGRP TIOCGPKT
TIOCGPTLCK TIOCGPTN TIOCGPTPEER TIOCGRS485 TIOCGSERIAL TIOCGSID TIOCGSOFTCAR TIOCGWINSZ TIOCINQ TIOCLINUX TIOCMBIC
TIOCMBIS TIOCMGET TIOCMIWAIT TIOCMSET TIOCNOTTY TIOCNXCL TIOCOUTQ TIOCPKT TIOCSBRK TIOCSCTTY TIOCSERCONFIG
TIOCSERGETLSR TIOCSERGETMULTI TIOCSERGSTRUCT TIOCSERGWILD TIOCSERSETMULTI TIOCSERSWILD TIOCSETD TIOCSIG TIOCSISO7816
TIOCSLCKTRMIOS TIOCSPGRP TIOCSPTLCK TIOCSRS485 TIOCSSERIAL TIOCSSOFTCAR TIOCSTI TIOCSWINSZ TIOCVHANGUP TOSTOP VDISCARD
VEOF VEOL VEOL2 VERASE VINTR VKILL VLNEXT VMIN VQUIT VREPRINT VSTART VSTOP VSUSP VSWTC VT0 VT1 VTDLY VTIME VWERASE
WCONTINUED WCOREFLAG WEOF WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED XCASE XTABS d_fileno h_addr h_errno s6_addr
s6_addr16 s6_addr32 sa_handler sa_sigaction sched_priority si_addr si_addr_lsb si_arch si_band si_call_addr si_fd
si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime si_syscall si_timerid si_uid si_upper si_utime
si_value sigev_notify_attributes sigev_notify_function st_atime st_ctime st_mtime
BIG_ENDIAN BOOL BUFSIZ BYTE BYTE_ORDER CALLBACK CONST DELETE DOMAIN E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT
EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM
EEXIST EFAULT EFBIG EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE
ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOLINK ENOMEM ENOMSG
ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY
ENXIO EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS ERROR ESPIPE
ESRCH ETIME ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV FALSE FAR HUGE HUGE_VAL I IN INFINITE INFINITY LITTLE_ENDIAN MAXFLOAT
NAN NEAR NULL NZERO OPTIONAL OUT OVERFLOW PATH_MAX PI SING SNAN SS STRICT TRUE UNDERFLOW VOID alloca assert complex
environ errno far huge i386 imaginary interface isnan isinf isfinite isnormal linux major makedev math_errhandling max
min minor near offsetof setjmp signbit small stderr stdin stdout unix va_arg va_copy va_end va_start
"""

_MACRO_FAMILIES = re.compile(
    r"(ATOMIC|CLOCK|CPU|CURVEC|DBL|EXIT|FE|FLT|FP|HUGE|INT|INT8|INT16|INT32|INT64|L|LC|LDBL|M|MATH|PTHREAD|SCHED|SEEK"
    r"|SIG|STD|SYS|TMP|UINT|UINT8|UINT16|UINT32|UINT64)_\w+|[A-Z0-9_]+_(MAX|MIN|WIDTH|BIT|SIZE)|(PRI|SCN)[diouxX]\w*|("
    # the first words of the constants of POSIX, all in capitals
    r"ADJ|AF|AI|AIO|AT|BOOT|BUS|CLD|CLOCKS|CLONE|CLOSE|DEAD|DECIMAL|DEV|DLFO|DN|DT|EAI|"
    r"EXEC|F|FALLOC|FD|FPE|GAI|HOST|ILL|IN|IN6ADDR|INADDR|INET|INET6|INIT|IOC|IOCSIZE|IP|"
    r"IPPORT|IPPROTO|IPV6|ITIMER|LIO|LM|LOCK|LOG|LOGIN|MADV|MAP|MAX|MCAST|MCL|MFD|MLOCK|"
    r"MOD|MREMAP|MS|MSG|N|NETDB|NEW|NI|NL|NO|NSS|O|OLD|P|PDP|PF|PIPE|PKEY|POLL|POSIX|"
    r"PRIO|PROT|R|REG|RENAME|RLIM|RLIM64|RLIMIT|RTLD|RUN|RUSAGE|RWF|RWH|S|SA|SCM|SCOPE|"
    r"SEGV|SEM|SHUT|SI|SIGEV|SIOCGSTAMP|SIOCGSTAMPNS|SO|SOCK|SOL|SPLICE|SS|STA|STATX|STDERR|"
    r"STDIN|STDOUT|SYNC|TIME|TIMER|TIOCM|TIOCPKT|TIOCSER|TRAP|TRY|TTYDEF|USER|UTIME|UTMPX|W|"
    r"WAIT|WTMPX|X"
    r")_[A-Z0-9_]+|[AP]F_DECnet|P_tmpdir"
)

# What the emitted text and the runtime say themselves.
_OWN = """
Below Block Buffer Category Columns Contributions Default EnumCurve Features IdentityLink Keys Knot Level
Line LogLink LogitLink Missing Numbers PWLCurve Point Predict PredictBatch FromC Product Score ScoreBatch ScoreRange
SpecialCodes Step StepCurve Terms at columns contributions count curvec features first group kFeatureNames kIntercept
kTermCount row rows score scores size_t std terms
"""

# Global functions and variables that a namespace of the same name would collide with.
_GLOBALS = """
abort abs accept access acct acos alarm asin atan atexit atof atoi atol basename bcmp bind brk bsearch bzero calloc
cbrt ceil chdir chmod chown chroot clock clone close confstr connect copysign cos cosh creat crypt ctime daemon
daylight difftime div drem dup environ erf erfc err exit exp exp10 exp2 expm1 fabs fclose fcntl fdim feof ferror
fflush ffs fgetc fgets fileno finite floor fma fmax fmin fmod fopen fork fprintf fputs fread free frexp fseek fstat
fsync ftell ftok fwrite gamma getc getchar getcwd getenv getline getopt getpid gets getuid gmtime hypot ilogb index
initgroups ioctl isalnum isalpha isascii isatty isblank isdigit islower isspace isupper j0 j1 jn kill labs ldexp ldiv
lgamma link listen llrint llround localtime lockf log log10 log1p log2 logb longjmp lrint lround lseek lstat main
malloc memchr memcmp memcpy memmove memset mkdir mknod mkstemp mktime mmap modf mount munmap nan nanosleep nearbyint
nextafter nice open optarg opterr optind optopt pause perror pipe poll popen pow printf profil putc putchar putenv
puts putw qsort raise rand random read readlink realloc recv regcomp remainder remove remquo rename revoke rewind
rindex rint rmdir round sbrk scalb scalbln scalbn scanf select semget send setbuf setenv setjmp setpgid settimeofday
setuid setvbuf shmget shutdown sigaction signal signgam significand sin sinh sleep snprintf socket sprintf sqrt srand
sscanf stat stpcpy strcat strchr strcmp strcpy strdup strlen strtod strtol swab symlink sync syscall system tan tanh
tgamma time times timezone tolower toupper trunc truncate ttyname tzname tzset umask uname ungetc unlink usleep utime
utimes vfork wait waitpid warn write y0 y1 yn
"""


class Reserved(AbstractSet[str]):
    """Names that an identifier must not be: a list, and the families of macros that no list could hold."""

    def __init__(self, *words: str) -> None:
        self._words = frozenset(" ".join(words).split())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._words or _MACRO_FAMILIES.fullmatch(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._words))

    def __len__(self) -> int:
        return len(self._words)


LOCALS = Reserved(_KEYWORDS, _MACROS, _OWN, " ".join(fx.cpp for fx in TRANSFORMS.values()))
"""For parameters, curves and local variables."""

NAMESPACES = Reserved(_KEYWORDS, _MACROS, "curvec std", _GLOBALS)
"""For the namespace."""


def cpp_identifiers(names: Iterable[str], reserved: AbstractSet[str]) -> dict[str, str]:
    """Each name's identifier, none longer than a line can take (see :func:`curvec.emit.names.identifiers`)."""
    return identifiers(names, reserved, _LONGEST)
