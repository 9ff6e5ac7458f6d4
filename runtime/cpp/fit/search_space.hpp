// The curves that are searched under one transform: data, constraints, and tasks on any candidates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <curvec/transforms.hpp>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "fit/candidates.hpp"
#include "fit/sample.hpp"
#include "fit/sorted.hpp"
#include "fit/task.hpp"

namespace curvec::fit {

using AnySample = std::variant<Sample<Singles>, Sample<Binned>>;

// What every curve must obey, in the units of u and y; knots in the units of x.
struct Constraints {
  double slope_low = -kInf;
  double slope_high = kInf;
  double y_low = -kInf;
  double y_high = kInf;
  Turn turn = Turn::none;
  std::vector<double> knots;  // required, ascending, as they will be printed
  std::vector<double> given;  // the y of each of them, NaN where that is free
  bool learn_ends = true;     // else the first and the last candidate are knots
};

// Where knots may be: anywhere, at whole numbers, or at values of the data.
enum class KnotPlaces { any, whole, values };

// A strictly increasing function of many values at once.
using Forward = std::function<std::vector<double>(const std::vector<double>&)>;

// The transform in a place of Transforms, in the contract's own bits.
[[nodiscard]] inline Forward forward_of(std::int32_t code) {
  Forward forward;
  Transforms::With(code, [&](auto transform) {
    forward = [transform](std::vector<double> x) {
      for (double& value : x) value = transform.Forward(value);
      return x;
    };
  });
  return forward;
}

// What a transform has of its own.
struct Domain {
  Forward forward;
  double lower = -kInf;  // fx needs x > lower
  double closest = 0.0;  // nearer than this no finite slope joins two knots, in u
  int digits = 0;        // significant decimal digits of a knot; 0: all
  KnotPlaces places = KnotPlaces::any;
};

class SearchSpace {
 public:
  // `sample` must stay where it is; `last` is the largest x of each of its parts, empty where all are single values.
  SearchSpace(const AnySample& sample, Domain domain, Constraints constraints, std::vector<double> last,
              JointSearch joint_search)
      : sample_(sample),
        domain_(std::move(domain)),
        constraints_(std::move(constraints)),
        last_(std::move(last)),
        joint_search_(std::move(joint_search)) {}

  // The task on these candidates, ascending. Of two too close to each other one is left out: not one of `kept` (which
  // hold all that are required), nor one that is required.
  [[nodiscard]] TaskPointer task(std::vector<double> x, const std::vector<double>& kept = {}) const {
    Problem p;
    p.knots = domain_.forward(x);
    keep_apart(x, p.knots, kept.empty() ? constraints_.knots : kept);
    p.gaps = std::visit([&](const auto& s) { return s.gaps(x.data(), p.knots.data(), x.size()); }, sample_);
    p.slope_low = constraints_.slope_low;
    p.slope_high = constraints_.slope_high;
    p.y_low = constraints_.y_low;
    p.y_high = constraints_.y_high;
    p.required = required(x);
    p.values = values(x);
    p.given = given(x);
    return std::make_shared<const Task>(std::move(x), p, constraints_.turn, joint_search_);
  }

  // The knots and finer candidates around each, as far as its neighbours in the pool, and what is required.
  [[nodiscard]] std::vector<double> finer(const std::vector<double>& knots, const std::vector<double>& pool,
                                          const std::vector<double>& fixed) const {
    std::vector<double> out = std::visit([&](const auto& s) { return around(knots, pool, s.parts()); }, sample_);
    if (domain_.digits > 0) {
      for (double& x : out) x = round_significant(x, domain_.digits);
    }
    if (domain_.places == KnotPlaces::whole) {
      for (double& x : out) x = std::nearbyint(x);
    } else if (domain_.places == KnotPlaces::values) {
      out = values_among(std::move(out));
      out.insert(out.end(), knots.begin(), knots.end());
    }
    out.erase(std::remove_if(out.begin(), out.end(), [&](double x) { return !(x > domain_.lower) || divides(x); }),
              out.end());
    out.insert(out.end(), fixed.begin(), fixed.end());
    sort_distinct(out);
    return out;
  }

 private:
  void keep_apart(std::vector<double>& x, std::vector<double>& u, const std::vector<double>& staying) const {
    const double first = x.front();
    const double last = x.back();
    const auto stays = [&](double knot) {
      return (!constraints_.learn_ends && (knot == first || knot == last)) ||
             std::binary_search(staying.begin(), staying.end(), knot);
    };
    std::size_t kept = 1;
    for (std::size_t k = 1; k < u.size(); ++k) {
      const auto close = [&] { return kept > 0 && !(u[k] - u[kept - 1] > domain_.closest); };
      while (close() && stays(x[k]) && !stays(x[kept - 1])) --kept;
      if (close()) continue;
      x[kept] = x[k];
      u[kept++] = u[k];
    }
    x.resize(kept);
    u.resize(kept);
  }

  // Whether a knot there would divide a part of the data.
  [[nodiscard]] bool divides(double knot) const {
    if (last_.empty()) return false;
    return std::visit(
        [&](const auto& s) {
          const auto& parts = s.parts();
          std::size_t at = first_from(parts, knot, 0);  // the first part that begins at or right of the knot
          return at > 0 && (at == parts.size() || parts.x(at) != knot) && knot <= last_[at - 1];
        },
        sample_);
  }

  // Which candidates are values of the data; bins have none of their own.
  [[nodiscard]] std::vector<bool> values(const std::vector<double>& x) const {
    const auto* singles = std::get_if<Sample<Singles>>(&sample_);
    if (!singles) return {};
    std::vector<bool> out;
    std::size_t at = 0;
    for (const double candidate : x) {
      at = first_from(singles->parts(), candidate, at);
      out.push_back(at < singles->parts().size() && singles->parts().x(at) == candidate);
    }
    return out;
  }

  // Those of the places that are values of the data: none where the data are bins.
  [[nodiscard]] std::vector<double> values_among(std::vector<double> places) const {
    sort_distinct(places);
    const std::vector<bool> held = values(places);
    std::vector<double> out;
    for (std::size_t k = 0; k < held.size(); ++k) {
      if (held[k]) out.push_back(places[k]);
    }
    return out;
  }

  [[nodiscard]] std::vector<int> required(const std::vector<double>& x) const {
    std::vector<int> out;
    for (const double knot : constraints_.knots) {
      out.push_back(static_cast<int>(std::lower_bound(x.begin(), x.end(), knot) - x.begin()));
    }
    if (!constraints_.learn_ends) {
      out.push_back(0);
      out.push_back(static_cast<int>(x.size()) - 1);
    }
    sort_distinct(out);
    return out;
  }

  // The y that the curve must have at each candidate, NaN where that is free; none where it is free at all of them.
  [[nodiscard]] std::vector<double> given(const std::vector<double>& x) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < constraints_.knots.size(); ++k) {
      if (std::isnan(constraints_.given[k])) continue;
      out.resize(x.size(), kFree);
      const auto at = std::lower_bound(x.begin(), x.end(), constraints_.knots[k]) - x.begin();
      out[static_cast<std::size_t>(at)] = constraints_.given[k];
    }
    return out;
  }

  const AnySample& sample_;
  Domain domain_;
  Constraints constraints_;
  std::vector<double> last_;
  JointSearch joint_search_;
};

}  // namespace curvec::fit
