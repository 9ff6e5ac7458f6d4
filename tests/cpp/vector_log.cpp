// Logarithms taken several at once: within the bounds that BatchOptions states, and only where they are asked for.
#include <cmath>
#include <curvec/curvec.hpp>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

using namespace curvec;

double FromBits(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// x is drawn from bit patterns, and every third time from around the transform's root.
template <class Fx>
double Worst(Fx fx, double low, double root, long double (*exact)(long double)) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    double x = i % 3 == 0 ? root + std::ldexp(static_cast<double>(random() >> 11), -53 - i % 40) : FromBits(random());
    if (!(x > low) || x == INFINITY) continue;
    detail::Lanes in, out;
    double values[detail::kLanes];
    for (double& value : values) value = x;
    detail::Load(values, in);
    detail::TransformOf(fx, in, out);
    detail::Store(out, values);
    const long double wanted = exact(static_cast<long double>(x));
    const double size = std::fabs(static_cast<double>(wanted));
    if (size == 0) continue;
    const double ulp = std::nextafter(size, INFINITY) - size;
    worst = std::fmax(worst, std::fabs(static_cast<double>((static_cast<long double>(values[0]) - wanted) / ulp)));
  }
  return worst;
}

void CheckScores() {
  const PWLCurve curve({{0.1, -1}, {1, 2}, {20, 1.5}}, Log{}, Missing{9});
  std::vector<double> x(1000);
  std::mt19937_64 random(1);
  for (double& value : x) value = std::lognormal_distribution<double>(0, 2)(random);
  x[3] = kNaN;
  x[4] = -1;
  x[5] = INFINITY;
  std::vector<double> exact(x.size()), quick(x.size());
  for (const bool vector_log : {false, true}) {
    for (Rows at(0, x.size(), {vector_log}); at.count != 0; at.Next()) {
      Block((at), (vector_log ? quick : exact).data() + at.first).Set(curve, Numbers(x.data()));
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK_SAME(exact[i], curve.Eval(x[i]));
    CHECK(std::fabs(quick[i] - exact[i]) <= 4 * 2.3e-16 * 3);
  }
}

}  // namespace

int main() {
  CHECK(Worst(Log{}, 2.2250738585072014e-308, 1.0, [](long double x) { return std::log(x); }) <= 1.0);
  CHECK(Worst(Log1p{}, -1.0, 0.0, [](long double x) { return std::log1p(x); }) <= 2.5);
  CheckScores();
}
