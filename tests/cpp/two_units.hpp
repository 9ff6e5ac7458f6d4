#pragma once

#include <curvec/curvec.hpp>

inline constexpr curvec::PWLCurve kShared({{18, 3.13}, {21, 0.5914}, {46, -0.7206}});
