// The namespace inside of curvec, and of every emitted model, that says which code a function was compiled to.
//
// Of an inline function that several translation units hold, a linker keeps one copy for all. Where one of them is
// compiled for AVX2 and another for any processor, that may be the copy with AVX2, which a processor without it cannot
// run; and where they hold two releases of curvec, one of them would get the other's code. Their functions therefore
// have different names: the namespace says the release, and all instruction sets that a compiler may take for
// arithmetic on doubles and integers. Release 0.1.0 for AVX2 with fused multiply-add is v0_1_0_avx2_fma_popcnt.
#ifndef CURVEC_ABI_HPP
#define CURVEC_ABI_HPP

#include <curvec/version.hpp>

#if defined(__AVX512F__)
#define CURVEC_ISA_VECTORS _avx512
#elif defined(__AVX2__)
#define CURVEC_ISA_VECTORS _avx2
#elif defined(__AVX__)
#define CURVEC_ISA_VECTORS _avx
#elif defined(__SSE4_2__)
#define CURVEC_ISA_VECTORS _sse42
#elif defined(__SSE4_1__)
#define CURVEC_ISA_VECTORS _sse41
#elif defined(__SSSE3__)
#define CURVEC_ISA_VECTORS _ssse3
#elif defined(__SSE3__)
#define CURVEC_ISA_VECTORS _sse3
#elif defined(__ARM_FEATURE_SVE2)
#define CURVEC_ISA_VECTORS _sve2
#elif defined(__ARM_FEATURE_SVE)
#define CURVEC_ISA_VECTORS _sve
#else
#define CURVEC_ISA_VECTORS
#endif

#if defined(__AVX512VL__)
#define CURVEC_ISA_VL _vl
#else
#define CURVEC_ISA_VL
#endif
#if defined(__AVX512DQ__)
#define CURVEC_ISA_DQ _dq
#else
#define CURVEC_ISA_DQ
#endif
#if defined(__AVX512BW__)
#define CURVEC_ISA_BW _bw
#else
#define CURVEC_ISA_BW
#endif
#if defined(__AVX512CD__)
#define CURVEC_ISA_CD _cd
#else
#define CURVEC_ISA_CD
#endif
#if defined(__FMA__)
#define CURVEC_ISA_FMA _fma
#else
#define CURVEC_ISA_FMA
#endif
#if defined(__FMA4__)
#define CURVEC_ISA_FMA4 _fma4
#else
#define CURVEC_ISA_FMA4
#endif
#if defined(__XOP__)
#define CURVEC_ISA_XOP _xop
#else
#define CURVEC_ISA_XOP
#endif
#if defined(__BMI__)
#define CURVEC_ISA_BMI _bmi
#else
#define CURVEC_ISA_BMI
#endif
#if defined(__BMI2__)
#define CURVEC_ISA_BMI2 _bmi2
#else
#define CURVEC_ISA_BMI2
#endif
#if defined(__LZCNT__)
#define CURVEC_ISA_LZCNT _lzcnt
#else
#define CURVEC_ISA_LZCNT
#endif
#if defined(__POPCNT__)
#define CURVEC_ISA_POPCNT _popcnt
#else
#define CURVEC_ISA_POPCNT
#endif
#if defined(__MOVBE__)
#define CURVEC_ISA_MOVBE _movbe
#else
#define CURVEC_ISA_MOVBE
#endif

// The operands of ## are not expanded, but the arguments of a macro that passes them on are: hence two macros each.
#define CURVEC_JOIN(a, b) CURVEC_JOIN_VALUES(a, b)
#define CURVEC_JOIN_VALUES(a, b) a##b
#define CURVEC_JOIN_ALL(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
  CURVEC_JOIN_ALL_VALUES(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
#define CURVEC_JOIN_ALL_VALUES(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
  v##a##_##b##_##c##d##e##f##g##h##i##j##k##l##m##n##o##p
#define CURVEC_ABI                                                                                                     \
  CURVEC_JOIN_ALL(CURVEC_VERSION_MAJOR, CURVEC_VERSION_MINOR, CURVEC_VERSION_PATCH, CURVEC_ISA_VECTORS, CURVEC_ISA_VL, \
                  CURVEC_ISA_DQ, CURVEC_ISA_BW, CURVEC_ISA_CD, CURVEC_ISA_FMA, CURVEC_ISA_FMA4, CURVEC_ISA_XOP,        \
                  CURVEC_ISA_BMI, CURVEC_ISA_BMI2, CURVEC_ISA_LZCNT, CURVEC_ISA_POPCNT, CURVEC_ISA_MOVBE)

/// The namespace of plain data, without functions: it has the same layout for every instruction set, of one release.
#define CURVEC_RELEASE CURVEC_JOIN_RELEASE(CURVEC_VERSION_MAJOR, CURVEC_VERSION_MINOR, CURVEC_VERSION_PATCH)
#define CURVEC_JOIN_RELEASE(major, minor, patch) CURVEC_JOIN_RELEASE_VALUES(major, minor, patch)
#define CURVEC_JOIN_RELEASE_VALUES(major, minor, patch) release_##major##_##minor##_##patch

/// The namespace inside that of an emitted model: a digest of the model, and all of the above.
#define CURVEC_MODEL(digest) CURVEC_JOIN(model_##digest##_, CURVEC_ABI)

#endif  // CURVEC_ABI_HPP
