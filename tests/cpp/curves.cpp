// A curve over millions of doubles: exact at its points, between its neighbours, monotone from each double to the next.
#include <cmath>
#include <cstdint>
#include <curvec/curvec.hpp>
#include <initializer_list>
#include <random>

#include "check.hpp"

namespace {

using namespace curvec;

double FromBits(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

double Next(double x) { return std::nextafter(x, INFINITY); }

// An increasing curve of random points; y are printed numbers, as a model's are.
template <std::size_t K, class Fx>
PWLCurve<K, Fx> Increasing(std::mt19937_64& random, double low, double high, Fx fx) {
  Point points[K];
  std::uniform_real_distribution<double> step(0.01, 1.0);
  double x = low;
  double y = -3;
  for (Point& point : points) {
    point = {x, y};
    x += step(random) * (high - low) / K;
    y += std::round(step(random) * 1000) / 1000;
  }
  return PWLCurve<K, Fx>(points, fx, Missing{99});
}

template <std::size_t K, class Fx>
void CheckPoints(const PWLCurve<K, Fx>& curve) {
  for (std::size_t k = 0; k < K; ++k) CHECK_SAME(curve.Eval(curve.x()[k]), curve.y()[k]);
  CHECK_SAME(curve.Eval(-INFINITY), curve.y()[0]);
  CHECK_SAME(curve.Eval(INFINITY), curve.y()[K - 1]);
  CHECK_SAME(curve.Eval(kNaN), 99);
}

template <std::size_t K, class Fx>
void CheckMonotone(const PWLCurve<K, Fx>& curve, std::mt19937_64& random) {
  for (std::size_t k = 0; k + 1 < K; ++k) {
    double x = curve.x()[k] - 64 * (Next(curve.x()[k]) - curve.x()[k]);
    for (int i = 0; i < 200; ++i, x = Next(x)) CHECK(curve.Eval(x) <= curve.Eval(Next(x)));
    std::uniform_real_distribution<double> inside(curve.x()[k], curve.x()[k + 1]);
    for (int i = 0; i < 1000; ++i) {
      const double at = inside(random);
      const double value = curve.Eval(at);
      CHECK(value <= curve.Eval(Next(at)));
      CHECK(curve.y()[k] <= value && value <= curve.y()[k + 1]);
    }
  }
}

template <std::size_t K>
void CheckAny(std::mt19937_64& random) {
  for (int i = 0; i < 50; ++i) {
    const auto identity = Increasing<K>(random, -1e3, 1e3, Identity{});
    CheckPoints(identity);
    CheckMonotone(identity, random);
    CheckPoints(Increasing<K>(random, 1e-3, 1e3, Log{}));
    CheckPoints(Increasing<K>(random, -0.99, 1e3, Log1p{}));
    CheckPoints(Increasing<K>(random, -1e3, 1e3, SymLog1p{}));
  }
}

void CheckBitPatterns(std::mt19937_64& random) {
  const PWLCurve curve({{-1e300, -5}, {-1e-300, -1}, {5e-324, 0}, {1, 2}, {1e308, 7}}, Missing{99});
  for (int i = 0; i < 1000000; ++i) {
    const double x = FromBits(random());
    const double value = curve.Eval(x);
    if (x != x) {
      CHECK_SAME(value, 99);
    } else {
      CHECK(-5 <= value && value <= 7);
      CHECK(x == INFINITY || value <= curve.Eval(Next(x)));
    }
  }
}

void CheckTransforms() {
  CHECK_SAME(Log1p::Forward(1e-300), 1e-300);
  CHECK_SAME(Log1p::Forward(0.0), 0.0);
  CHECK_SAME(SymLog1p::Forward(-3.0), -Log1p::Forward(3.0));
  CHECK(std::fabs(Log1p::Forward(1e-10) - std::log1p(1e-10)) <= 2e-26);
}

void CheckLinks() {
  CHECK_SAME(LogitLink::Inverse(0.0), 0.5);
  CHECK(LogitLink::Inverse(-1000.0) > 0.0 && LogitLink::Inverse(1000.0) <= 1.0);
  CHECK(LogitLink::Inverse(kNaN) != LogitLink::Inverse(kNaN));
  CHECK(std::isfinite(LogLink::Inverse(1e300)) && LogLink::Inverse(-INFINITY) > 0.0);
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  CheckAny<2>(random);
  CheckAny<6>(random);
  CheckAny<40>(random);
  CheckBitPatterns(random);
  CheckTransforms();
  CheckLinks();
}
