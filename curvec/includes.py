"""Where the C++ runtime's headers and its CMake package are, for builds that use emitted code."""

from __future__ import annotations

from importlib.resources import files


def get_include() -> str:
    """The folder to pass to a compiler with ``-I``; ``<curvec/curvec.hpp>`` is in it."""
    return str(files("curvec") / "include")


def get_cmake_dir() -> str:
    """The folder to pass to CMake as ``curvec_DIR``, or on ``CMAKE_PREFIX_PATH``, for ``find_package(curvec)``."""
    return str(files("curvec") / "cmake")
