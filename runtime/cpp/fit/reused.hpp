// Tables that keep their memory from one fit to the next: fresh pages from the system cost as much as a small search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace curvec::fit {

// Blocks of memory that this thread has used before and not freed, by size: powers of two.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    for (std::vector<void*>& blocks : kept_) {
      for (void* block : blocks) std::free(block);
    }
  }

  static Memory& of_this_thread() {
    thread_local Memory memory;
    return memory;
  }

  [[nodiscard]] void* take(std::size_t bytes) {
    std::vector<void*>& blocks = kept_[size_class(bytes)];
    if (!blocks.empty()) {
      void* block = blocks.back();
      blocks.pop_back();
      bytes_ -= std::size_t{1} << size_class(bytes);
      return block;
    }
    void* block = std::malloc(std::size_t{1} << size_class(bytes));
    if (!block) throw std::bad_alloc();
    return block;
  }

  void give_back(void* block, std::size_t bytes) noexcept {
    const std::size_t size = std::size_t{1} << size_class(bytes);
    if (bytes_ + size > kMostKept || !keep(block, size_class(bytes))) {
      std::free(block);
    } else {
      bytes_ += size;
    }
  }

 private:
  // 32 MB in all: a table of 9 doubles for each pair of 100 knots takes 0.4 MB, of 900 knots 29 MB.
  static constexpr std::size_t kMostKept = std::size_t{32} << 20;

  // The least power of two that is enough.
  [[nodiscard]] static std::size_t size_class(std::size_t bytes) noexcept {
    std::size_t power = 6;
    while ((std::size_t{1} << power) < bytes) ++power;
    return power;
  }

  [[nodiscard]] bool keep(void* block, std::size_t power) noexcept {
    try {
      kept_[power].push_back(block);
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }

  std::array<std::vector<void*>, 64> kept_;
  std::size_t bytes_ = 0;
};

// A table of plain values; every value must be written before it is read.
template <class T>
class Reused {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "plain values only");

 public:
  Reused() = default;
  explicit Reused(std::size_t size)
      : values_(static_cast<T*>(Memory::of_this_thread().take(size * sizeof(T)))), size_(size) {}
  ~Reused() {
    if (values_) Memory::of_this_thread().give_back(values_, size_ * sizeof(T));
  }
  Reused(const Reused&) = delete;
  Reused& operator=(const Reused&) = delete;
  Reused(Reused&& other) noexcept : values_(other.values_), size_(other.size_) { other.values_ = nullptr; }
  Reused& operator=(Reused&& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    return *this;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() noexcept { return values_; }
  [[nodiscard]] const T* data() const noexcept { return values_; }
  [[nodiscard]] T& operator[](std::size_t k) noexcept { return values_[k]; }
  [[nodiscard]] const T& operator[](std::size_t k) const noexcept { return values_[k]; }

 private:
  T* values_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace curvec::fit
