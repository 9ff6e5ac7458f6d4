"""What no identifier of emitted C++ may be: keywords, macros, and names that the emitted text itself uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from curvec.emit.names import identifiers

__all__ = ["LOCALS", "NAMESPACES", "TRANSFORM_TYPES", "Reserved", "cpp_identifiers"]

TRANSFORM_TYPES = {"identity": "Identity", "log": "Log", "log1p": "Log1p", "symlog1p": "SymLog1p"}
"""The runtime's struct of each transform."""

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
    r"(ATOMIC|CLOCK|CPU|DBL|EXIT|FE|FLT|FP|HUGE|INT|INT8|INT16|INT32|INT64|L|LC|LDBL|M|MATH|PTHREAD|SCHED|SEEK|SIG|STD"
    r"|SYS|TMP|UINT|UINT8|UINT16|UINT32|UINT64)_\w+|[A-Z0-9_]+_(MAX|MIN|WIDTH|BIT|SIZE)"
)

# What the emitted text and the runtime say themselves.
_OWN = """
Below Block Buffer Category Columns Contributions Default EnumCurve Features IdentityLink Keys Knot Level
LogLink LogitLink Missing Numbers PWLCurve Point Predict PredictBatch FromC Product Score ScoreBatch ScoreRange
Step StepCurve Terms at columns contributions count curvec features first group kFeatureNames kIntercept
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


LOCALS = Reserved(_KEYWORDS, _MACROS, _OWN, " ".join(TRANSFORM_TYPES.values()))
"""For parameters, curves and local variables."""

NAMESPACES = Reserved(_KEYWORDS, _MACROS, "curvec std", _GLOBALS)
"""For the namespace."""


def cpp_identifiers(names: Iterable[str], reserved: AbstractSet[str]) -> dict[str, str]:
    """Each name's identifier, none longer than a line can take (see :func:`curvec.emit.names.identifiers`)."""
    return identifiers(names, reserved, _LONGEST)
