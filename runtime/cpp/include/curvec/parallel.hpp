// A batch split over threads. Not in curvec.hpp: it starts threads, which allocates.
#ifndef CURVEC_PARALLEL_HPP
#define CURVEC_PARALLEL_HPP

#include <atomic>
#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/lanes.hpp>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace curvec {
inline namespace CURVEC_ABI {

namespace detail {

/// Threads that are joined where this goes out of scope, by an exception too.
class JoinedThreads {
 public:
  JoinedThreads() = default;
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;
  ~JoinedThreads() {
    for (std::thread& thread : threads_) thread.join();
  }

  /// Starts up to `count` threads that run `work`; fewer where the system has no more.
  template <class Work>
  void Start(std::size_t count, const Work& work) {
    threads_.reserve(count);
    try {
      while (threads_.size() < count) threads_.emplace_back([&work] { work(); });
    } catch (const std::system_error&) {
      // No further thread can be had: those that were started, and the caller, do all of the work.
    }
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace detail

/// Calls work(first, last) for parts of the rows [0, rows), on up to `threads` threads, this one among them, and
/// returns when all are done. There are no more threads than processors, and no more than the system gives. Each part
/// is whole blocks, so that the bits are those of one thread. What `work` throws is thrown here, when all threads have
/// ended; rows whose turn had not come are then left.
///
///     curvec::SplitRows(rows, 4, [&](std::size_t first, std::size_t last) {
///       model::ScoreRange(columns, first, last, scores);
///     });
template <class Work>
void SplitRows(std::size_t rows, std::size_t threads, const Work& work) {
  // Some 50 microseconds of work: long beside the increment by which a thread takes a part, and short beside the whole,
  // so that threads that are slower than others take fewer parts and all end at nearly the same time.
  constexpr std::size_t kRowsOfPart = 4 * kBlock;
  const std::size_t processors = std::thread::hardware_concurrency();  // 0 where it is not known
  if (processors != 0 && threads > processors) threads = processors;
  const std::size_t parts = rows / kRowsOfPart + (rows % kRowsOfPart != 0 ? 1 : 0);
  if (threads > parts) threads = parts;
  if (threads < 2) {
    if (rows != 0) work(std::size_t{0}, rows);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex guards_thrown;
  const auto take_parts = [&] {
    try {
      for (std::size_t part = next++; part < parts; part = next++) {
        work(part * kRowsOfPart, part + 1 < parts ? (part + 1) * kRowsOfPart : rows);
      }
    } catch (...) {
      next = parts;  // nobody takes another part
      const std::lock_guard<std::mutex> lock(guards_thrown);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    detail::JoinedThreads helpers;
    helpers.Start(threads - 1, take_parts);
    take_parts();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_PARALLEL_HPP
