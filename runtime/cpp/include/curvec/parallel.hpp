// A batch split over threads. Not in curvec.hpp: it starts threads, which allocates, and may throw std::system_error.
#ifndef CURVEC_PARALLEL_HPP
#define CURVEC_PARALLEL_HPP

#include <cstddef>
#include <curvec/config.hpp>
#include <curvec/kernels.hpp>
#include <thread>
#include <vector>

namespace curvec {
inline namespace CURVEC_ABI {

/// Calls work(first, last) for parts of the rows [0, rows), one part a thread, this thread among them; returns when all
/// are done. Each part is whole blocks, so that the bits are those of one thread.
///
///     curvec::SplitRows(rows, 4, [&](std::size_t first, std::size_t last) {
///       model::ScoreRange(columns, first, last, scores);
///     });
template <class Work>
void SplitRows(std::size_t rows, std::size_t threads, const Work& work) {
  const std::size_t blocks = (rows + kBlock - 1) / kBlock;
  if (threads > blocks) threads = blocks;
  const std::size_t share = threads > 1 ? blocks / threads * kBlock : rows;
  std::vector<std::thread> others;
  std::size_t first = 0;
  try {
    for (; others.size() + 1 < threads; first += share) others.emplace_back([=, &work] { work(first, first + share); });
  } catch (...) {
    for (std::thread& other : others) other.join();
    throw;
  }
  work(first, rows);
  for (std::thread& other : others) other.join();
}

}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_PARALLEL_HPP
