// Which of the instruction sets that the core was compiled for this processor has.
#pragma once

namespace curvec::bind {

// The level of x86-64; 1 is what every one has, and what other processors count as.
[[nodiscard]] inline int processor_level() {
#if defined(CURVEC_X86_64_LEVELS)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd")) {
    return 4;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return 3;
#endif
  return 1;
}

}  // namespace curvec::bind
