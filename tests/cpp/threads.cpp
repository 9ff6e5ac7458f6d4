// Any number of threads score at once, with the same curves, from their first call on.
#include <curvec/curvec.hpp>
#include <curvec/parallel.hpp>
#include <thread>
#include <vector>

#include "check.hpp"

namespace {

double Score(double x) {
  static constexpr curvec::PWLCurve kCurve({{-2, 3.13}, {0.5, 0.5914}, {1, -0.7206}});
  static constexpr curvec::EnumCurve<std::int64_t, 2> kLevels({{1, 0.5}, {2, 1.5}}, curvec::Default{0});
  return kCurve.Eval(x) + kLevels.Eval(static_cast<int>(x));
}

// Every row is scored once, whatever the number of threads.
void CheckSplit() {
  for (const std::size_t rows : {0UL, 1UL, 255UL, 256UL, 257UL, 5000UL}) {
    for (const std::size_t threads : {0UL, 1UL, 2UL, 7UL, 100UL}) {
      std::vector<int> times(rows);
      curvec::SplitRows(rows, threads, [&times](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) ++times[i];
      });
      for (const int count : times) CHECK(count == 1);
    }
  }
}

}  // namespace

int main() {
  CheckSplit();
  std::vector<std::vector<double>> results(8, std::vector<double>(10000));
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&result] {
      for (std::size_t i = 0; i < result.size(); ++i) result[i] = Score(static_cast<double>(i) / 2000);
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) CHECK(result == results[0]);
}
