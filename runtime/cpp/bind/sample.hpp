// The fit's data under one transform, as Python holds it.
#pragma once

#include <optional>
#include <utility>

#include "bind/tables.hpp"
#include "fit/search_space.hpp"

namespace curvec::bind {

// Keeps the arrays that it reads.
class Sample {
 public:
  Sample(Doubles table, Doubles u, std::optional<Doubles> moments)
      : table_(std::move(table)), u_(std::move(u)), moments_(std::move(moments)), sample_(make()) {}

  [[nodiscard]] const fit::AnySample& data() const noexcept { return sample_; }

 private:
  [[nodiscard]] fit::AnySample make() const {
    const auto count = static_cast<std::size_t>(table_.shape(0));
    if (!moments_) return fit::Sample<fit::Singles>({table_.data(), u_.data(), count});
    return fit::Sample<fit::Binned>({table_.data(), u_.data(), moments_->data(), count});
  }

  Doubles table_;
  Doubles u_;
  std::optional<Doubles> moments_;
  fit::AnySample sample_;
};

}  // namespace curvec::bind
