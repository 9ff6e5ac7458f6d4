// u = fx(x) for the candidates of a fit.
#pragma once

#include <cstdint>
#include <curvec/transforms.hpp>
#include <functional>
#include <vector>

namespace curvec::fit {

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

}  // namespace curvec::fit
