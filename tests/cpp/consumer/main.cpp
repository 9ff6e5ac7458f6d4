#include <cstdio>
#include <curvec/curvec.hpp>
#if defined(WITH_MODEL)
#include <cstring>

#include "risk.h"
#include "risk.hpp"
#endif

int main() {
  constexpr curvec::PWLCurve kAge({{18, 3.13}, {21, 0.5914}, {46, -0.7206}});
#if defined(WITH_MODEL)
  if (std::strcmp(risk_version(), RISK_VERSION) != 0) return 1;
  std::printf("%.17g\n", risk::Score(30));
#else
  std::printf("%.17g\n", kAge.Eval(30));
#endif
}
