"""The names of emitted C++: any feature, level and model has an identifier that compiles, and that no header takes."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from cpp_sources import LISTING, check, one_unit
from strategies import HARD_NAMES

import curvec
from curvec import (
    CurveModel,
    EnumCurve,
    InputError,
    Line,
    Product,
    PWLCurve,
    StepCurve,
    emit,
)
from curvec.emit.cpp import namespace_of
from curvec.emit.cpp_names import LOCALS, NAMESPACES, cpp_identifiers
from curvec.parity.runners.cpp import compiler


def test_any_name_becomes_identifiers_and_a_comment_that_maps_back() -> None:
    texts = []
    for name in HARD_NAMES:
        model = CurveModel(name, [PWLCurve(name, [(0, 1), (2, 3)], note=name), EnumCurve(f"{name} 2", {name: 1.5})])
        texts.append(emit(model, "cpp", namespace=f"m{len(texts)}::{namespace_of(model)}", c_interface=True))
        code = re.sub(r'"(\\.|[^"\\])*"|//.*', "", texts[-1])
        assert re.fullmatch(r"[A-Za-z0-9_\s{}()\[\]<>;:,.=+*&!#/-]*", code)
    check(one_unit(texts))


def test_a_curve_s_name_in_a_family_of_macros_gets_another() -> None:
    names = ["L", "L_x", "E", "INT", "SIG", "FP", "PRI", "ATOMIC"]
    models = [CurveModel(f"m{n}", [PWLCurve(n, [(0, 1), (2, 3)]), StepCurve(n, [1], [2, 3])]) for n in names]
    check(one_unit([emit(model, "cpp") for model in models]))


def test_any_word_of_the_emitted_text_may_be_a_name() -> None:
    model = CurveModel("m", [PWLCurve("x", [(0, 1), (2, 3)], "log1p"), Product([Line("x"), Line("y")])])
    words = sorted(set(re.findall(r"\b(?!m_)[A-Za-z_]\w*", emit(model, "cpp", c_interface=True))))
    assert {"At", "curvec_column", "kFeatureTypes"} <= set(words)
    terms = [[Line(w), EnumCurve(f"{w} 2", {n % 2 == 0 if n % 4 < 2 else "a": 2.0})] for n, w in enumerate(words)]
    names = cpp_identifiers(words, NAMESPACES)
    models = [CurveModel(names[word], both) for word, both in zip(words, terms, strict=True)]
    check(one_unit([emit(model, "cpp", namespace=model.name, c_interface=True) for model in models]))


HEADERS = (
    "sys/stat.h signal.h netdb.h netinet/in.h sys/socket.h dirent.h time.h unistd.h fcntl.h errno.h math.h stdio.h "
    "stdlib.h limits.h float.h locale.h sys/resource.h sys/wait.h termios.h pthread.h sched.h poll.h sys/mman.h "
    "inttypes.h complex.h fenv.h wchar.h syslog.h sys/param.h langinfo.h glob.h regex.h search.h pwd.h grp.h dlfcn.h "
    "semaphore.h utime.h sys/utsname.h wctype.h uchar.h iconv.h string.h ctype.h setjmp.h sys/time.h sys/times.h "
    "sys/select.h sys/un.h sys/uio.h aio.h ftw.h fnmatch.h wordexp.h nl_types.h mqueue.h spawn.h ucontext.h sysexits.h "
    "endian.h err.h getopt.h values.h sys/ipc.h sys/msg.h sys/sem.h sys/shm.h sys/statvfs.h net/if.h netinet/tcp.h "
    "arpa/inet.h utmpx.h sys/ioctl.h sys/epoll.h"
)


INCLUDES = "\n".join(f"#include <{name}>" for name in ("curvec/c_interface.hpp", "curvec/curvec.hpp", *HEADERS.split()))


def preprocessed(*options: str) -> str:
    """What the local compiler's preprocessor makes of all the headers."""
    command = [str(compiler()), "-std=gnu++17", "-E", "-P", *options, "-x", "c++", f"-I{curvec.get_include()}", "-"]
    return subprocess.run(command, input=INCLUDES, capture_output=True, check=True, encoding="utf-8").stdout


@pytest.mark.skipif(sys.platform != "linux", reason="headers of Linux")
def test_no_identifier_is_a_macro_of_the_system_or_of_the_runtime() -> None:
    macros = set(re.findall(r"^#define ([A-Za-z]\w*) ", preprocessed("-dM"), re.MULTILINE))
    assert {"st_mtime", "CURVEC_LOOKUP", "EAGAIN", "ERA"} <= macros | {"CURVEC_LOOKUP"}
    given = cpp_identifiers([*macros, "age", "BILL_AMT1", "PAY_0"], LOCALS)
    assert sorted(macros & set(given.values())) == []
    assert [given[name] for name in ("age", "BILL_AMT1", "PAY_0")] == ["age", "BILL_AMT1", "PAY_0"]


@pytest.mark.skipif(sys.platform != "linux", reason="headers of Linux")
def test_no_model_s_namespace_is_a_name_of_the_system() -> None:
    found = set(re.findall(r"\b[A-Za-z](?:[A-Za-z0-9]|_(?!_))*\b", preprocessed())) | {"risk", "score", "age"}
    assert {"FILE", "tm", "time_t", "atanh", "curvec_column"} <= found
    given = cpp_identifiers(sorted(found), NAMESPACES)
    assert [given[name] for name in ("risk", "score", "age", "tm")] == ["risk", "score", "age", "tm_"]
    lines = [f"namespace {name} {{ inline constexpr int kOne = 1; }}" for name in given.values()]
    check("\n".join([INCLUDES, *lines]), "-std=gnu++17", "-Wno-pedantic")


def test_hostile_text_stays_text() -> None:
    note = "a */ b /* c \\\n#error broken\n??/\n// \\"
    model = CurveModel("m", [PWLCurve("x\\", [(0, 1), (2, 3)], note=note)], note=note + "\\")
    check(emit(model, "cpp"), "-trigraphs")


@pytest.mark.parametrize("namespace", ["", "1a", "a b", "a::", "class", "a::b::", "std", "curvec", "a__b", "_a"])
def test_a_namespace_that_is_none_is_refused_by_name(namespace: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"namespace={namespace!r}")):
        emit(LISTING, "cpp", namespace=namespace)


def test_a_model_called_like_a_function_of_the_library_gets_another_namespace() -> None:
    assert namespace_of(CurveModel("log", LISTING.terms)) == "log_"
    assert "namespace risk::scores {" in emit(LISTING, "cpp", namespace="risk::scores")
