// The inverse links: from a raw score to a prediction (contract, point 7).
#ifndef CURVEC_LINKS_HPP
#define CURVEC_LINKS_HPP

#include <cmath>
#include <curvec/config.hpp>
#include <curvec/type_list.hpp>

namespace curvec {
inline namespace CURVEC_ABI {
CURVEC_AS_WRITTEN

/// The magnitude that a score is bounded by before exp, a little below where exp leaves the normal doubles: exp(700) is
/// 1.01e304 and exp(-700) 9.9e-305. A logit from 37 on is a prediction of 1.0 anyway.
inline constexpr double kExpBound = 700.0;

/// The prediction is the score.
struct IdentityLink {
  static constexpr const char* kName = "identity";
  [[nodiscard]] static constexpr double Inverse(double score) noexcept { return score; }
};

/// 1 / (1 + exp(-score)); NaN stays NaN.
struct LogitLink {
  static constexpr const char* kName = "logit";
  [[nodiscard]] static double Inverse(double score) noexcept {
    const double size = score < 0.0 ? -score : score;
    const double e = std::exp(-(size > kExpBound ? kExpBound : size));
    return score >= 0.0 ? 1.0 / (1.0 + e) : e / (1.0 + e);
  }
};

/// exp(score); NaN stays NaN.
struct LogLink {
  static constexpr const char* kName = "log";
  [[nodiscard]] static double Inverse(double score) noexcept {
    const double above = score < -kExpBound ? -kExpBound : score;
    return std::exp(above > kExpBound ? kExpBound : above);
  }
};

/// Every link; its code is its place here.
using Links = TypeList<IdentityLink, LogitLink, LogLink>;

CURVEC_AS_OPTIONS
}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_LINKS_HPP
