// Any number of threads score at once, with the same curves, from their first call on.
#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <atomic>
#include <curvec/curvec.hpp>
#include <curvec/parallel.hpp>
#include <stdexcept>
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

// What a part throws comes out, whichever thread it was on, and the others have ended by then.
void CheckThrowing() {
  for (std::size_t bad = 0; bad < 100000; bad += 9999) {
    std::atomic<int> running{0};
    bool thrown = false;
    try {
      curvec::SplitRows(100000, 4, [&](std::size_t first, std::size_t last) {
        ++running;
        std::this_thread::yield();
        --running;
        if (first <= bad && bad < last) throw std::runtime_error("bad");
      });
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    CHECK(thrown && running == 0);
  }
}

// Where the system gives no thread, this one does all.
void CheckNoThreads() {
#if defined(__linux__) && !defined(CURVEC_SANITIZED)
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit little{1 << 20, before.rlim_max};  // less than is in use: no stack can be had
  std::vector<int> times(100000);
  CHECK(setrlimit(RLIMIT_AS, &little) == 0);
  curvec::SplitRows(times.size(), 2000, [&times](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ++times[i];
  });
  CHECK(setrlimit(RLIMIT_AS, &before) == 0);
  for (const int count : times) CHECK(count == 1);
#endif
}

}  // namespace

int main() {
  CheckSplit();
  CheckThrowing();
  CheckNoThreads();
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
