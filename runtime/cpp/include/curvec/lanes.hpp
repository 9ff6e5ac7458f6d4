// Several doubles at once: the compiler's vectors where it has them, else one double. Both are written the same way.
#ifndef CURVEC_LANES_HPP
#define CURVEC_LANES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <curvec/config.hpp>

namespace curvec {
inline namespace CURVEC_ABI {

/// The rows of a block. Of 20 columns of double this block and the next one, which is read ahead, are 320 KB: they stay
/// in the second-level cache of today's servers, 512 KB to 2 MB a core. Many more rows would not, and many fewer would
/// spend their time on setting up each curve's tables.
inline constexpr std::size_t kBlock = 1024;

namespace detail {

#if defined(__GNUC__)
#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 8;
#elif defined(__AVX__)
inline constexpr std::size_t kLanes = 4;
#else
inline constexpr std::size_t kLanes = 2;
#endif
using Lanes __attribute__((vector_size(kLanes * sizeof(double)))) = double;
#else
inline constexpr std::size_t kLanes = 1;
using Lanes = double;
#endif

// Vectors are passed by reference: by value their place depends on the instruction set, which compilers warn about.
inline void Load(const double* from, Lanes& to) noexcept { std::memcpy(&to, from, sizeof to); }
inline void Load(const float* from, Lanes& to) noexcept {
#if defined(__GNUC__)
  using Floats __attribute__((vector_size(kLanes * sizeof(float)))) = float;
  Floats floats;
  std::memcpy(&floats, from, sizeof floats);
#if defined(__AVX__) && !defined(__AVX512F__) && !defined(__clang__)
  to = __builtin_ia32_cvtps2pd256(floats);  // one instruction; for the other form GCC 12 converts halves and joins them
#else
  to = __builtin_convertvector(floats, Lanes);
#endif
#else
  to = static_cast<double>(*from);
#endif
}
inline void Store(const Lanes& from, double* to) noexcept { std::memcpy(to, &from, sizeof from); }

/// Asks for the cache line so many bytes after an address, which will be read soon; there need not be one.
inline void PrefetchAfter(const void* address, std::size_t bytes) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) + bytes));
#else
  static_cast<void>(address);
  static_cast<void>(bytes);
#endif
}

}  // namespace detail
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_LANES_HPP
