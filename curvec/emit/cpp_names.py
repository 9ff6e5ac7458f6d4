"""The names that an identifier of emitted C++ must not have: keywords, macros, and names of the emitted text itself."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from curvec.emit.names import identifiers
from curvec.ir import NODES
from curvec.links import LINKS
from curvec.transforms import TRANSFORMS

_LONGEST = 40
"""Characters of the longest identifier of a feature; longer names are cut, so that lines can be broken as usual."""

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
B230400 B2400 B2500000 B300 B3000000 B3500000 B38400 B4000000 B460800 B4800 B50 B500000 B57600 B576000 B600 B75 B921600
B9600 BRKINT BS0 BS1 BSDLY CANBSIZ CBAUD CBAUDEX CBRK CDISCARD CDSUSP CEOF CEOL CEOT CERASE CFLUSH CIBAUD CINTR CKILL
CLNEXT CLOCAL CMIN CMSPAR CQUIT CR0 CR1 CR2 CR3 CRDLY CREAD CREPRINT CRPRNT CRTSCTS CS5 CS6 CS7 CS8 CSIGNAL CSIZE
CSTART CSTATUS CSTOP CSTOPB CSUSP CTIME CWERASE DEFFILEMODE EADV EBADE EBADFD EBADR EBADRQC EBADSLT EBFONT ECHO ECHOCTL
ECHOE ECHOK ECHOKE ECHONL ECHOPRT ECHRNG ECOMM EDEADLOCK EDOTDOT EDQUOT EHOSTDOWN EHWPOISON EISNAM EKEYEXPIRED
EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG EMEDIUMTYPE
EMPTY EMULTIHOP ENAVAIL ENOANO ENOCSI ENOKEY ENOMEDIUM ENONET ENOPKG ENOTNAM ENOTUNIQ EPFNOSUPPORT EREMCHG EREMOTE
EREMOTEIO ERESTART ERFKILL ESHUTDOWN ESOCKTNOSUPPORT ESRMNT ESTALE ESTRPIPE ETOOMANYREFS EUCLEAN EUNATCH EUSERS EXFULL
EXTA EXTB EXTPROC FAPPEND FASYNC FF0 FF1 FFDLY FFSYNC FIOASYNC FIOCLEX FIOGETOWN FIONBIO FIONCLEX FIONREAD FIOQSIZE
FIOSETOWN FLUSHO FNDELAY FNONBLOCK HUPCL HZ ICANON ICRNL IEXTEN IGNBRK IGNCR IGNPAR IMAXBEL INLCR INPCK ISIG ISTRIP
IUCLC IUTF8 IXANY IXOFF IXON MAXHOSTNAMELEN MAXNAMLEN MAXPATHLEN MAXSYMLINKS MINSIGSTKSZ NBBY NCARGS NCC NCCS NFDBITS
NGREG NGROUPS NL0 NL1 NLDLY NODEV NOFILE NOFLSH NOGROUP NSIG OCRNL OFDEL OFILL OLCUC ONLCR ONLRET ONOCR OPOST PARENB
PARMRK PARODD PENDIN POLLERR POLLHUP POLLIN POLLMSG POLLNVAL POLLOUT POLLPRI POLLRDBAND POLLRDHUP POLLRDNORM POLLREMOVE
POLLWRBAND POLLWRNORM SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL
SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTKSZ SIGSTOP SIGSYS SIGTERM SIGTRAP
SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIOGIFINDEX SNANF SNANF128 SNANF32
SNANF32X SNANF64 SNANF64X SNANL SOMAXCONN TAB0 TAB1 TAB2 TAB3 TABDLY TCFLSH TCGETA TCGETS TCGETS2 TCGETX TCIFLUSH
TCIOFF TCIOFLUSH TCION TCOFLUSH TCOOFF TCOON TCSADRAIN TCSAFLUSH TCSANOW TCSBRK TCSBRKP TCSETA TCSETAF TCSETAW TCSETS
TCSETS2 TCSETSF TCSETSF2 TCSETSW TCSETSW2 TCSETX TCSETXF TCSETXW TCXONC TOSTOP VDISCARD VEOF VEOL VEOL2 VERASE VINTR
VKILL VLNEXT VMIN VQUIT VREPRINT VSTART VSTOP VSUSP VSWTC VT0 VT1 VTDLY VTIME VWERASE WCONTINUED WCOREFLAG WEOF WEXITED
WNOHANG WNOWAIT WSTOPPED WUNTRACED XCASE XTABS d_fileno h_addr h_errno s6_addr s6_addr16 s6_addr32 sa_handler
sa_sigaction sched_priority si_addr si_addr_lsb si_arch si_band si_call_addr si_fd si_int si_lower si_overrun si_pid
si_pkey si_ptr si_status si_stime si_syscall si_timerid si_uid si_upper si_utime si_value sigev_notify_attributes
sigev_notify_function st_atime st_ctime st_mtime
ALT_DIGITS AM_STR BITSPERBYTE CHARBITS CODESET CRNCYSTR CURRENCY_SYMBOL DMAXEXP DMINEXP DOUBLEBITS D_FMT D_T_FMT ERA
ERA_D_FMT ERA_D_T_FMT ERA_T_FMT ERA_YEAR FLOATBITS FMAXEXP FMINEXP FRAC_DIGITS GETALL GETNCNT GETPID GETVAL GETZCNT
GROUPING HIBITL HIBITS IFHWADDRLEN IFNAMSIZ IF_NAMESIZE INTBITS LONGBITS MAXDOUBLE MAXINT MAXLONG MAXSHORT MINDOUBLE
MINFLOAT MININT MINLONG MINSHORT NEGATIVE_SIGN NOEXPR NOSTR PM_STR POSITIVE_SIGN PTRBITS RADIXCHAR SETALL SETVAL SHMLBA
SHORTBITS THOUSANDS_SEP THOUSEP T_FMT T_FMT_AMPM UIO_MAXIOV YESEXPR YESSTR msg_cbytes no_argument optional_argument
required_argument
ABSOLUTE ALTERNATE ASYNCH BLACKNESS CDECL DIFFERENCE DUPLICATE FALT FASTCALL HALFTONE IGNORE MAXBYTE MAXCHAR MAXDWORD
MAXUINT MAXWORD MINCHAR NOERROR OPAQUE PASCAL PLANES PURE REGISTERED REGISTERING RELATIVE SYNCHRONIZE TECHNOLOGY THIS
TRANSPARENT UNALIGNED UNICODE WHITENESS WIN32 WINAPI WINDING cdecl hyper pascal
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

_MACRO_FAMILIES = (  # a text: compiled when a name is first checked, as that takes 5 ms
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
    r"WAIT|WTMPX|X|"
    r"ABDAY|ABMON|ALTMON|DAY|EFD|EPOLL|EX|FNM|FTW|GLOB|IFF|IPC|MON|RE|REGS|SHM|ST|TCP|TCPI|TCPOLEN|TCPOPT|TH"
    r")_[A-Z0-9_]+|[AP]F_DECnet|P_tmpdir|EPOLL[A-Z]+|[ST]IOC[A-Z0-9]+|if[acr]_[a-z]+"
)

# Names of the emitted text and of the runtime.
_OWN = """
At Below Block Buffer Category Columns Contributions Default Features Keys Knot Level Missing Numbers Point Predict
PredictBatch FromC Score ScoreBatch ScoreRange SpecialCodes Step Terms at columns contributions count curvec features
first group kFeatureNames kIntercept kTermCount row rows score scores size_t std terms
"""

# Functions, variables and types of C's and POSIX's headers, which a namespace of the same name would collide with.
_GLOBALS = """
a64l abort abs accept accept4 access acct acos acosh ACTION addrinfo adjtime aiocb aioinit alarm aligned_alloc
alphasort arc4random arc4random_buf arc4random_uniform asctime asin asinh asprintf at_quick_exit atan atan2 atanh
atexit atof atoi atol basename bcmp bcopy bind bindresvport bindresvport6 brk bsearch btowc bzero c16rtomb c32rtomb
c8rtomb cabs cacos cacosh calloc canonicalize canonicalize_file_name carg casin casinh catan catanh catclose catgets
catopen cbrt ccos ccosh ceil cexp cfgetispeed cfgetospeed cfmakeraw cfsetispeed cfsetospeed cfsetspeed chdir chmod
chown chroot cimag clearenv clearerr clock clock_adjtime clock_getcpuclockid clock_getres clock_gettime
clock_nanosleep clock_settime clog clog10 clone close close_range closedir closefrom closelog cmsghdr confstr conj
connect copy_file_range copysign cos cosh cpow cproj creal creat crypt csin csinh csqrt ctan ctanh ctermid ctime
cuserid daddl daemon daylight ddivl dfmal difftime DIR dirent dirfd div dl_find_object Dl_info Dl_serinfo Dl_serpath
dladdr dladdr1 dlclose dlerror dlinfo dlmopen dlopen dlsym dlvsym dmull dprintf drand48 drand48_data drem dsqrtl dsubl
dup dup2 dup3 duplocale dysize eaccess ecvt endgrent endhostent endnetent endnetgrent endorder endprotoent endpwent
endrpcent endservent endusershell endutxent ENTER ENTRY entry environ erand48 erf erfc err errx euidaccess execl
execle execlp execv execve execveat execvp execvpe exit exp exp10 exp2 explicit_bzero expm1 f_owner_ex fabs faccessat
fadd fallocate fchdir fchmod fchmodat fchown fchownat fclose fcloseall fcntl fcvt fd_mask fd_set fdatasync fdim fdiv
fdopen fdopendir feclearexcept fedisableexcept feenableexcept fegetenv fegetexcept fegetexceptflag fegetmode
fegetround feholdexcept feof feraiseexcept ferror fesetenv fesetexcept fesetexceptflag fesetmode fesetround
fetestexcept fetestexceptflag feupdateenv fexecve fflush ffma ffs ffsll fgetc fgetgrent fgetpos fgetpwent fgets fgetwc
fgetws FILE file_handle fileno FIND finite flock flockfile floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num
fmaximum_num fmaxmag fmemopen fmin fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmod fmul fnmatch fopen
fopencookie fork fpathconf fpclassify fprintf fputc fputs fputwc fputws fread free freeaddrinfo freelocale freopen
frexp fromfp fromfpx fscanf fseek fseeko fsetpos fsqrt fstat fstatat fstatvfs fsub fsync ftell ftello ftok ftruncate
ftrylockfile FTW ftw funlockfile futimens futimes futimesat fwide fwprintf fwrite fwscanf gai_cancel gai_error
gai_strerror gai_suspend gaicb gamma gcvt get_current_dir_name getaddrinfo getaddrinfo_a getc getchar getcontext
getcpu getcwd getdate getdate_err getdelim getdents64 getdirentries getdomainname getdtablesize getegid getentropy
getenv geteuid getgid getgrent getgrgid getgrnam getgrouplist getgroups gethostbyaddr gethostbyname gethostbyname2
gethostent gethostid gethostname getipv4sourcefilter getitimer getline getloadavg getlogin getnameinfo getnetbyaddr
getnetbyname getnetent getnetgrent getopt getopt_long getopt_long_only getpagesize getpass getpayload getpeername
getpgid getpgrp getpid getppid getpriority getprotobyname getprotobynumber getprotoent getpt getpw getpwent getpwnam
getpwuid getresgid getresuid getrlimit getrpcbyname getrpcbynumber getrpcent getrusage gets getservbyname
getservbyport getservent getsid getsockname getsockopt getsourcefilter getsubopt gettid gettimeofday getuid getumask
getusershell getutmp getutmpx getutxent getutxid getutxline getw getwc getwchar getwd glob glob_pattern_p globfree
gmtime grantpt group group_filter group_member group_req group_source_req gsignal hcreate hdestroy herror hostent
hsearch hsearch_data hstrerror htonl htons hypot iconv iconv_close iconv_open if_freenameindex if_indextoname
if_nameindex if_nametoindex iface ifaddr ifconf ifmap ifreq ilogb imaxabs imaxdiv in6_addr in6_pktinfo in6addr_any
in6addr_loopback in_addr in_pktinfo index initgroups initstate innetgr insque ioctl iovec ip6_mtuinfo ip_mreq
ip_mreq_source ip_mreqn ip_msfilter ip_opts ipc_perm ipv6_mreq iruserok iruserok_af isalnum isalpha isascii isatty
isblank iscanonical iscntrl isctype isdigit iseqsig isfdtype isgraph isgreater isgreaterequal isinff isinfl isless
islessequal islessgreater islower isnanf isnanl isprint ispunct issignaling isspace issubnormal isunordered isupper
iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
isxdigit iszero itimerspec itimerval j0 j1 jmp_buf jn jrand48 kill killpg l64a labs lchmod lchown lcong48 lconv ldexp
ldiv leaf lfind lgamma lgammaf lgammaf32 lgammaf32x lgammaf64 lgammaf64x lgammal linger link link_map linkat
lio_listio listen llabs lldiv llogb llrint llround localeconv localtime lockf log log10 log1p log2 logb longjmp
lrand48 lrint lround lsearch lseek lstat lutimes madvise main makecontext malloc mblen mbrlen mbrtoc16 mbrtoc32
mbrtoc8 mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc memccpy memchr memcmp memcpy memfd_create memfrob memmem
memmove mempcpy memrchr memset mincore mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat mkostemp mkostemps mkstemp
mkstemps mktemp mktime mlock mlock2 mlockall mmap mmsghdr modf mount mprotect mrand48 mremap msgbuf msgctl msgget
msghdr msginfo msgrcv msgsnd msqid_ds msync munlock munlockall munmap name_to_handle_at nan nanosleep nearbyint netent
newlocale nextafter nextdown nexttoward nexttowardf nexttowardl nextup nftw nice nl_catd nl_item nl_langinfo nrand48
ntohl ntohs obstack obstack_printf obstack_vprintf on_exit open open_by_handle_at open_memstream open_wmemstream
openat opendir openlog optarg opterr optind option optopt osockaddr passwd pathconf pause pclose perror pipe pipe2
pkey_alloc pkey_free pkey_get pkey_mprotect pkey_set poll pollfd popen postorder pow ppoll pread preadv preadv2
preadv64v2 preorder printf prlimit process_madvise process_mrelease process_vm_readv process_vm_writev profil
program_invocation_name program_invocation_short_name protoent pselect psiginfo psignal ptsname putc putchar putenv
putgrent putpwent puts pututxline putw putwc putwchar pwrite pwritev pwritev2 pwritev64v2 qecvt qelem qfcvt qgcvt
qsort quick_exit raise rand random random_data rawmemchr rcmd rcmd_af re_compile_fastmap re_compile_pattern re_match
re_match_2 re_pattern_buffer re_registers re_search re_search_2 re_set_registers re_set_syntax re_syntax_options read
readahead readdir readdir64 readlink readlinkat readv realloc reallocarray realpath recv recvfrom recvmmsg recvmsg
regcomp regerror regexec regfree remainder remap_file_pages remove remque remquo rename renameat renameat2 revoke
rewind rewinddir rexec rexec_af rindex rint rlimit rmdir round roundeven rpcent rpmatch rresvport rresvport_af rusage
ruserok ruserok_af sbrk scalb scalbln scalbn scandir scandirat scanf secure_getenv seed48 seekdir select sembuf semctl
semget semid_ds seminfo semop semtimedop send sendmmsg sendmsg sendto servent setbuf setbuffer setcontext
setdomainname setegid setenv seteuid setgid setgrent setgroups sethostent sethostid sethostname setipv4sourcefilter
setitimer setjmp setlinebuf setlocale setlogin setlogmask setnetent setnetgrent setns setpayload setpayloadsig setpgid
setpgrp setpriority setprotoent setpwent setregid setresgid setresuid setreuid setrlimit setrpcent setservent setsid
setsockopt setsourcefilter setstate settimeofday setuid setusershell setutxent setvbuf shm_info shm_open shm_unlink
shmat shmctl shmdt shmget shmid_ds shminfo shutdown sigabbrev_np sigaction sigaddset sigaltstack sigandset sigblock
sigcontext sigdelset sigdescr_np sigemptyset sigevent sigfillset siggetmask sighold sigignore siginterrupt
sigisemptyset sigismember sigjmp_buf siglongjmp signal signgam significand sigorset sigpause sigpending sigprocmask
sigqueue sigrelse sigreturn sigset sigsetmask sigstack sigsuspend sigtimedwait sigval sigwait sigwaitinfo sin sincos
sinh sleep snprintf sockaddr sockaddr_in sockaddr_in6 sockaddr_storage sockaddr_un sockatmark socket socketpair splice
sprintf sqrt srand srand48 srandom sscanf ssignal stat statvfs statx statx_timestamp stpcpy stpncpy strcasecmp
strcasestr strcat strchr strchrnul strcmp strcoll strcpy strcspn strdup strerror strerrordesc_np strerrorname_np
strfromd strfromf strfromf32 strfromf32x strfromf64x strfroml strfry strftime strlen strncasecmp strncat strncmp
strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtof32 strtof32x
strtof64 strtof64x strtoimax strtok strtol strtold strtoll strtoq strtoul strtoull strtoumax strtouq strverscmp
strxfrm swab swapcontext swprintf swscanf symlink symlinkat sync sync_file_range syncfs syscall sysconf syslog system
sysv_signal tan tanh tcdrain tcflow tcflush tcgetattr tcgetpgrp tcgetsid tcphdr tcsendbreak tcsetattr tcsetpgrp
tdelete tdestroy tee telldir tempnam termio termios tfind tgamma tgkill time timegm timelocal timer_create
timer_delete timer_getoverrun timer_gettime timer_settime times timespec timespec_get timespec_getres timeval timex
timezone tm tmpfile tmpnam tms toascii tolower totalorder totalordermag toupper towctrans towlower towupper trunc
truncate tsearch ttyname ttyslot twalk tzname tzset u_char u_int u_long u_short ualarm ucred ufromfp ufromfpx uint
ulong umask uname ungetc ungetwc unlink unlinkat unlockpt unsetenv unshare updwtmpx uselocale ushort usleep utimbuf
utime utimensat utimes utmp utmpx utmpxname utsname va_list valloc vasprintf vdprintf verr verrx versionsort vfork
vfprintf vfscanf vfwprintf vfwscanf vhangup VISIT vmsplice vprintf vscanf vsnprintf vsprintf vsscanf vswprintf
vswscanf vsyslog vwarn vwarnx vwprintf vwscanf wait wait3 wait4 waitid waitpid warn warnx wcpcpy wcpncpy wcrtomb
wcscasecmp wcscat wcschr wcschrnul wcscmp wcscoll wcscpy wcscspn wcsdup wcsftime wcslen wcsncasecmp wcsncat wcsncmp
wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstof32 wcstof32x wcstof64 wcstof64x
wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoq wcstoul wcstoull wcstoumax wcstouq wcswcs wcswidth wcsxfrm
wctob wctomb wctrans wctype wcwidth winsize wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset wordexp wordfree wprintf
write writev wscanf y0 y1 yn
"""


_ENDINGS = ("", "f", "l", "f32", "f32x", "f64", "f64x", "64", "_l", "_r", "_unlocked")
"""The endings of a function's variants: sinf and sinl of sin, fopen64, gmtime_r, toupper_l."""

_GLOBAL_FAMILIES = (
    r"\w+_t|(aio|curvec|epoll|inet6?|mq|posix|pthread|sched|sem|tcp)_\w+|(TCP|WRDE)_\w+|\w+f128(_[lr])?"
    r"|f(32x?|64x?)?(add|sub|mul|div|sqrt|fma)(l|f(32x?|64x?))"
)


class Reserved(Container[str]):
    """Names that an identifier must not be.

    Args:
        words: the names, separated by blanks.
        functions: further names, separated by blanks, each of which is reserved with every ending of :data:`_ENDINGS`.
        families: a pattern of further names, such as those that begin with a macro's prefix.

    """

    def __init__(self, *words: str, functions: str = "", families: str = _MACRO_FAMILIES) -> None:
        self._words = frozenset(" ".join(words).split())
        self._functions = frozenset(functions.split())
        self._families = {_MACRO_FAMILIES, families}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (
            name in self._words
            or any(name.removesuffix(ending) in self._functions for ending in _ENDINGS)
            or any(re.fullmatch(family, name) for family in self._families)
        )


LOCALS = Reserved(
    _KEYWORDS,
    _MACROS,
    _OWN,
    *NODES,
    *(one.cpp for one in LINKS.values()),
    *(one.cpp for one in TRANSFORMS.values()),
)
"""For parameters, curves and local variables."""

NAMESPACES = Reserved(
    _KEYWORDS,
    _MACROS,
    "curvec std",
    functions=_GLOBALS,
    families=_GLOBAL_FAMILIES,
)
"""For the namespace."""


def cpp_identifiers(names: Iterable[str], reserved: Reserved) -> dict[str, str]:
    """Each name's identifier, none longer than a line can take (see :func:`curvec.emit.names.identifiers`)."""
    return identifiers(names, reserved, _LONGEST)
