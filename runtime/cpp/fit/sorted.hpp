// Lists in ascending order.
#pragma once

#include <algorithm>
#include <vector>

namespace curvec::fit {

// Ascending, each value once.
template <class T>
void sort_distinct(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace curvec::fit
