// What runs over many rows, or pairs of knots, is compiled for each level of x86-64: the best that the processor has is
// taken when it runs.
#pragma once

#include <cstddef>
#include <curvec/nodes.hpp>

#include "fit/kernels.hpp"

namespace curvec::levels {

// What is compiled for a level: the loops of a fit, and the engine of programs (curvec/engine.hpp).
struct Level {
  fit::Kernels kernels;
  void (*run)(const program::Task& task, std::size_t first, std::size_t last);
};

const Level& base();
#if defined(CURVEC_X86_64_LEVELS)
const Level& x86_64_v3();
const Level& x86_64_v4();
#endif

// The level of x86-64 that the processor has; 1 is what every one has, and what other processors count as.
[[nodiscard]] inline int of_processor() {
#if defined(CURVEC_X86_64_LEVELS)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd")) {
    return 4;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return 3;
#endif
  return 1;
}

// What is compiled for a level that the processor has, or for the next lower one.
[[nodiscard]] inline const Level& compiled([[maybe_unused]] int level) {
#if defined(CURVEC_X86_64_LEVELS)
  if (level == 4) return x86_64_v4();
  if (level == 3) return x86_64_v3();
#endif
  return base();
}

}  // namespace curvec::levels
