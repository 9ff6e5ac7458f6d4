// The time budget and the way to stop a search from outside.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <utility>

namespace curvec::fit {

// Counts units of work; every so often it looks at the clock and calls back (which may throw to stop the search).
class Watch {
 public:
  Watch(double seconds, std::function<void()> callback)
      : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(seconds < kForever ? seconds : kForever))),
        callback_(std::move(callback)),
        expired_(!(seconds > 0.0)) {}

  [[nodiscard]] double seconds_left() const {
    return std::max(0.0, std::chrono::duration<double>(end_ - Clock::now()).count());
  }
  // The same with half of the time that is left.
  [[nodiscard]] Watch half() const { return {0.5 * seconds_left(), callback_}; }
  // The same for at most so many units of work.
  [[nodiscard]] Watch limited(long long units) const {
    Watch other = *this;
    other.most_ = units;
    other.done_ = 0;
    return other;
  }
  // The same with no work done so far.
  [[nodiscard]] Watch afresh() const {
    Watch other = *this;
    other.units_ = 0;
    other.done_ = 0;
    return other;
  }
  // The units of work so far.
  [[nodiscard]] long long done() const noexcept { return done_ + units_; }

  [[nodiscard]] bool expired() const noexcept { return expired_; }

  void work(int units) {
    units_ += units;
    if (units_ < kUnitsBetweenLooks) return;
    done_ += units_;
    units_ = 0;
    if (callback_) callback_();
    expired_ = expired_ || done_ > most_ || Clock::now() >= end_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kForever = 1e8;
  static constexpr int kUnitsBetweenLooks = 1 << 15;

  Clock::time_point end_;
  std::function<void()> callback_;
  bool expired_ = false;
  int units_ = 0;
  long long done_ = 0;
  long long most_ = std::numeric_limits<long long>::max();
};

}  // namespace curvec::fit
