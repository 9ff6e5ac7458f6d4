// u = fx(x) for the candidates of a fit.
#pragma once

#include <curvec/transforms.hpp>
#include <functional>
#include <vector>

#include "fit/kernels.hpp"

namespace curvec::fit {

// A strictly increasing function of many values at once.
using Forward = std::function<std::vector<double>(const std::vector<double>&)>;

// The transforms by name, in the contract's own bits.
[[nodiscard]] inline Forward forward_of(Fx fx) {
  const auto each = [](auto transform) {
    return [transform](std::vector<double> x) {
      for (double& value : x) value = transform.Forward(value);
      return x;
    };
  };
  switch (fx) {
    case Fx::log:
      return each(Log{});
    case Fx::log1p:
      return each(Log1p{});
    case Fx::symlog1p:
      return each(SymLog1p{});
    case Fx::identity:
      break;
  }
  return each(Identity{});
}

}  // namespace curvec::fit
