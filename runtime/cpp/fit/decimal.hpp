// Numbers as they will be printed.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace curvec::fit {

// The double nearest to the decimal number of so many significant digits that is nearest to `value`.
[[nodiscard]] inline double round_significant(double value, int digits) noexcept {
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return std::strtod(text, nullptr);
}

}  // namespace curvec::fit
