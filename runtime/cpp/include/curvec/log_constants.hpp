// What the two vector logarithms share: how a double is split into 2^k m, and the natural logarithm of 2.
//
// The split is made on the bits of the double. They are its exponent field above 52 bits of fraction, and as integers
// they are ordered as positive doubles are. Subtracting the bits of sqrt(1/2) leaves k in the exponent field, where
// m = x / 2^k is in [sqrt(1/2), sqrt(2)); adding them to the fraction that is left gives the bits of m.
//
// An example: the bits of 10 are 0x4024000000000000, and
//
//     0x4024000000000000 - 0x3fe6a09e667f3bcd = 0x003d5f619980c433    exponent field 0x003: k = 3
//     0x000d5f619980c433 + 0x3fe6a09e667f3bcd = 0x3ff4000000000000    m = 1.25, and 2^3 * 1.25 = 10
//
// k may be negative; 2^11 is therefore added to its field, whose 12 bits then hold 2^11 + k. It becomes a double
// without a conversion (AVX2 has none for 64 bits): as the fraction of a double whose exponent says 2^52 it is
// 2^52 + 2^11 + k, from which 2^52 + 2^11 is subtracted.
#ifndef CURVEC_LOG_CONSTANTS_HPP
#define CURVEC_LOG_CONSTANTS_HPP

#include <cstdint>
#include <curvec/config.hpp>
#include <limits>

namespace curvec {
inline namespace CURVEC_ABI {
namespace detail {

inline constexpr int kFractionBits = 52;                                                 // of a double
inline constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << kFractionBits) - 1;  // its fraction
inline constexpr std::uint64_t kBitsOfRootHalf = 0x3fe6a09e667f3bcd;                     // sqrt(1/2)
inline constexpr std::uint64_t kBitsOf2To52 = 0x4330000000000000;                        // 2^52
inline constexpr std::uint64_t kAddedToExponent = 2048;                                  // 2^11
inline constexpr std::uint64_t kAddedToBits = (kAddedToExponent << kFractionBits) - kBitsOfRootHalf;
inline constexpr double k2To52 = 4503599627370496.0;
inline constexpr double kSubtractedFromExponent = k2To52 + static_cast<double>(kAddedToExponent);

/// ln 2 in two parts. The first is cut off after 32 bits, so that its product with an exponent, an integer of at most
/// 11 bits, is exact; the second is what is missing, rounded to a double. Together they are within 1.2e-26 of ln 2.
/// (The same split as ln2_hi and ln2_lo in fdlibm's e_log.c.)
inline constexpr double kLn2High = 0.6931471803691238;
inline constexpr double kLn2Low = 1.9082149292705877e-10;

/// 2^-1022. Smaller positive doubles have no exponent of their own, and are not split as above.
inline constexpr double kLeastNormal = std::numeric_limits<double>::min();

}  // namespace detail
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_LOG_CONSTANTS_HPP
