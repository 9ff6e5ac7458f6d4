// A list of types, of which one is chosen at run time by its place.
#ifndef CURVEC_TYPE_LIST_HPP
#define CURVEC_TYPE_LIST_HPP

#include <cstdint>
#include <curvec/config.hpp>
#include <string_view>

namespace curvec {
inline namespace CURVEC_ABI {

template <class... T>
struct TypeList {
  static constexpr std::int32_t kCount = sizeof...(T);

  /// Calls use(T{}) with the type that stands in the place `code`, from 0. False where there is none.
  template <class Use>
  static constexpr bool With(std::int32_t code, const Use& use) {
    std::int32_t place = 0;
    return ((place++ == code ? (use(T{}), true) : false) || ...);
  }

  /// The place of the type whose kName it is; -1 where there is none.
  [[nodiscard]] static constexpr std::int32_t Place(std::string_view name) noexcept {
    std::int32_t place = -1;
    return ((++place, name == T::kName) || ...) ? place : -1;
  }
};

}  // namespace CURVEC_ABI
}  // namespace curvec

#endif  // CURVEC_TYPE_LIST_HPP
