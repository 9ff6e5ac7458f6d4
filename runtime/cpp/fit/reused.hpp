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
    if (!store().vectors.empty()) {
      values_.swap(store().vectors.back());
      store().vectors.pop_back();
      store().size -= values_.capacity();
    }
  }
  ~Reused() {
    if (store().size + values_.capacity() > kMostKept) return;
    store().size += values_.capacity();
    store().vectors.push_back(std::move(values_));
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
  static constexpr std::size_t kMostKept = (std::size_t{8} << 20) / sizeof(T);

  struct Store {
    std::vector<std::vector<T>> vectors;
    std::size_t size = 0;
  };

  static Store& store() {
    thread_local Store kept;
    return kept;
  }

  std::vector<T> values_;
};

}  // namespace curvec::fit
