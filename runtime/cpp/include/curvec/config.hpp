// What must hold of the compiler before anything else: IEEE doubles, one operation at a time.
#ifndef CURVEC_CONFIG_HPP
#define CURVEC_CONFIG_HPP

#include <cfloat>
#include <curvec/abi.hpp>
#include <limits>

#if defined(_MSVC_LANG) ? _MSVC_LANG < 201703L : __cplusplus < 201703L
#error "curvec needs C++17 or newer: compile with -std=c++17, or /std:c++17"
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(_M_FP_FAST)
#error "curvec keeps NaN and the order of operations: compile without -ffast-math, -Ofast and their parts, or /fp:fast"
#endif
#if FLT_EVAL_METHOD != 0
#error "curvec needs double arithmetic in double: on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12 && defined(__FP_FAST_FMA) && !defined(CURVEC_NO_CONTRACT)
#error \
    "before GCC 12, compile with -ffp-contract=off and say so by -DCURVEC_NO_CONTRACT: a fused multiply-add rounds once"
#endif

// CURVEC_EXPORT: a function of the C interface, in the symbol table of whatever is built from an emitted model.
// CURVEC_NOT_INLINED: a function that is called wherever it is used, never copied to its callers.
#if defined(_MSC_VER)
#define CURVEC_EXPORT __declspec(dllexport)
#define CURVEC_NOT_INLINED __declspec(noinline)
#else
#define CURVEC_EXPORT __attribute__((visibility("default")))
#define CURVEC_NOT_INLINED __attribute__((noinline))
#endif

// Clang defines no macro for -fassociative-math and the like, so that they cannot be refused as above. Between these
// two lines it does arithmetic as it is written, whatever the options; after them, as the options say.
#if defined(__clang__) && __clang_major__ >= 11 && (defined(__x86_64__) || defined(_M_X64))
#define CURVEC_AS_WRITTEN _Pragma("float_control(push)") _Pragma("float_control(precise, on)")
#define CURVEC_AS_OPTIONS _Pragma("float_control(pop)")
#else
#define CURVEC_AS_WRITTEN
#define CURVEC_AS_OPTIONS
#endif

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

static_assert(std::numeric_limits<double>::is_iec559, "curvec needs IEEE 754 doubles");
static_assert(static_cast<double>(0.1F) > 0.1,
              "curvec's numbers are doubles: compile without -fsingle-precision-constant");

/// What is missing and has no value of its own.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace detail {

// These compare doubles for equality on purpose, so that -Wfloat-equal, where a user asks for it, says nothing here.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wfloat-equal"
#endif
[[nodiscard]] constexpr bool Equal(double a, double b) noexcept { return a == b; }
[[nodiscard]] constexpr bool IsNan(double x) noexcept { return x != x; }
[[nodiscard]] constexpr bool IsNan(float x) noexcept { return x != x; }
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/// The number, -0.0 as 0.0. (Clang takes no arithmetic on a NaN for a constant expression.)
[[nodiscard]] constexpr double WithoutSignOfZero(double number) noexcept {
  return IsNan(number) ? number : number + 0.0;
}

// A product, a double or a vector of them, that is rounded before anything is added to it: compilers may make one fused
// multiply-add of a * b + c, which rounds once. For a = b = 1 + 2^-30 and c = -1 - 2^-29 that is 2^-60; the contract
// wants 0, as the product alone is rounded to 1 + 2^-29.
//
// GCC fuses over whole functions unless told otherwise, and __builtin_assoc_barrier (since GCC 12) alone stops that
// without stopping vectorisation. Clang fuses within a statement, and with -ffp-contract=fast everywhere; an empty
// assembler instruction that, for all that clang knows, changes the register of the product stops it.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define CURVEC_ROUNDED(product) __builtin_assoc_barrier(product)
#elif defined(__clang__) && defined(__FMA__)
template <class T>
[[nodiscard]] inline T Opaque(T product) noexcept {
  __asm__("" : "+x"(product));
  return product;
}
#define CURVEC_ROUNDED(product) ::curvec::detail::Opaque(product)
#elif defined(__clang__) && defined(__aarch64__)
template <class T>
[[nodiscard]] inline T Opaque(T product) noexcept {
  __asm__("" : "+w"(product));
  return product;
}
#define CURVEC_ROUNDED(product) ::curvec::detail::Opaque(product)
#else
#define CURVEC_ROUNDED(product) (product)
#endif

/// CURVEC_ROUNDED in what may be a constant expression.
[[nodiscard]] constexpr double Rounded(double product) noexcept {
#if defined(__GNUC__)
  return __builtin_is_constant_evaluated() ? product : CURVEC_ROUNDED(product);
#else
  return product;
#endif
}

}  // namespace detail

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_CONFIG_HPP
