// Vectors that keep their memory from one fit to the next: fresh pages from the system cost as much as a small search.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace curvec::fit {

// A vector of plain values whose memory goes back to a store of this thread, up to a size.
template <class T>
class Reused {
 public:
  Reused() {
    if (!store().empty()) {
      values_.swap(store().back());
      store().pop_back();
    }
  }
  ~Reused() {
    if (values_.capacity() <= kMostKept && store().size() < kMostVectors) store().push_back(std::move(values_));
  }
  Reused(const Reused&) = delete;
  Reused& operator=(const Reused&) = delete;

  // Keeps whatever the memory held: every value must be written before it is read.
  void resize(std::size_t size) { values_.resize(size); }

  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] T* data() noexcept { return values_.data(); }
  [[nodiscard]] const T* data() const noexcept { return values_.data(); }
  [[nodiscard]] T& operator[](std::size_t k) noexcept { return values_[k]; }
  [[nodiscard]] const T& operator[](std::size_t k) const noexcept { return values_[k]; }

 private:
  static constexpr std::size_t kMostKept = std::size_t{1} << 16;
  static constexpr std::size_t kMostVectors = 4;

  static std::vector<std::vector<T>>& store() {
    thread_local std::vector<std::vector<T>> vectors;
    return vectors;
  }

  std::vector<T> values_;
};

}  // namespace curvec::fit
