// curvec: the runtime of emitted curve models. Header only, C++17, no dependency.
//
// The contract. A curve has points (x_1, y_1) ... (x_K, y_K), x strictly increasing, and a transform fx.
//
//   1. A missing input (NaN, or a Category without a value) gives the curve's Missing value; without one, NaN.
//      An unseen category gives the curve's Default; without one, NaN.
//   2. x <= x_1 gives y_1, x >= x_K gives y_K, infinities too. fx never sees a value outside its domain.
//   3. Otherwise, on x_k <= x < x_k+1: y_k + s_k * (fx(x) - u_k), with u_k = fx(x_k) and s_k the segment's slope,
//      moved towards zero double by double until the segment's end does not overshoot y_k+1.
//   4. So a curve passes exactly through its points, stays between neighbouring y, and where its y increase it
//      increases for every pair of doubles (with a logarithm: as far as the platform's log does).
//   5. Sums are made left to right in groups of 25 terms, then the groups left to right.
//   6. log is std::log; log1p(x) is x where 1 + x == 1, else log(1 + x) * (x / ((1 + x) - 1)).
//   7. A link's argument is bounded by 700 before exp.
//
// All arithmetic is IEEE double, one operation at a time: never reordered, never fused. The same points give the same
// bits on every compiler and machine; with a logarithm, wherever std::log gives the same bits.
//
// Scoring does not throw, allocate, lock or initialise at run time, and any number of threads may score at once.
// Curves are constexpr values; building one from numbers that break the rules above is a precondition violated
// (checked where curves come from: the Python package), except that slopes are computed here by the same rule.
#ifndef CURVEC_CURVEC_HPP
#define CURVEC_CURVEC_HPP

#include <curvec/batch.hpp>
#include <curvec/columns.hpp>
#include <curvec/config.hpp>
#include <curvec/enum_curve.hpp>
#include <curvec/links.hpp>
#include <curvec/pwl_curve.hpp>
#include <curvec/step_curve.hpp>
#include <curvec/sums.hpp>
#include <curvec/transforms.hpp>

#endif  // CURVEC_CURVEC_HPP
