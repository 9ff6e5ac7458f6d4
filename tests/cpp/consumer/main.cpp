#include <cstdio>
#include <curvec/curvec.hpp>

int main() {
  constexpr curvec::PWLCurve kAge({{18, 3.13}, {21, 0.5914}, {46, -0.7206}});
  std::printf("%.17g\n", kAge.Eval(30));
}
