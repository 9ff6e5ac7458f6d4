// libFuzzer: a model's tables and its inputs from bytes. Every curve that the rules admit is scored row by row and as a
// batch, which must agree in every bit; it passes through its points, and without a logarithm stays within their y.
//
//     clang++ -std=c++17 -O1 -g -fsanitize=fuzzer,address,undefined -Iruntime/cpp/include tests/cpp/fuzz_model.cpp
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <curvec/curvec.hpp>
#include <string_view>
#include <vector>

#include "check.hpp"

namespace {

using namespace curvec;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  template <class T>
  T Take() {
    T value{};
    const std::size_t size = std::min(left_, sizeof value);
    if (size != 0) std::memcpy(&value, data_, size);
    data_ += size;
    left_ -= size;
    return value;
  }
  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

// What the Python package checks before it emits a curve (contract: increasing, finite, inside fx, finite slopes).
template <std::size_t K, class Fx>
bool Admitted(const Point (&points)[K], double low) {
  for (std::size_t k = 0; k < K; ++k) {
    if (!std::isfinite(points[k].x) || !std::isfinite(points[k].y) || !(points[k].x > low)) return false;
    if (k == 0) continue;
    const double du = Fx::Forward(points[k].x) - Fx::Forward(points[k - 1].x);
    if (!(points[k - 1].x < points[k].x) || !(du > 0) || !std::isfinite(du)) return false;
    if (!std::isfinite((points[k].y - points[k - 1].y) / du)) return false;
  }
  return true;
}

template <std::size_t K, class Fx>
void TryCurve(Bytes bytes, Fx fx, double low) {
  Point points[K];
  for (Point& point : points) point = {bytes.Take<double>(), bytes.Take<double>()};
  if (bytes.Take<bool>()) std::sort(points, points + K, [](auto a, auto b) { return a.x < b.x; });
  if (!Admitted<K, Fx>(points, low)) return;
  const PWLCurve<K, Fx> curve(points, fx, Missing{bytes.Take<double>()});
  std::vector<double> x;
  for (const Point& point : points) {
    x.insert(x.end(), {point.x, std::nextafter(point.x, -INFINITY), std::nextafter(point.x, INFINITY)});
    CHECK_SAME(curve.Eval(point.x), point.y + 0.0);
  }
  while (bytes.left() != 0) x.push_back(bytes.Take<double>());
  std::vector<double> batch(x.size());
  for (Rows at(0, x.size()); at.count != 0; at.Next())
    Block((at), batch.data() + at.first).Set(curve, Numbers(x.data()));
  const auto [low_y, high_y] = std::minmax_element(points, points + K, [](auto a, auto b) { return a.y < b.y; });
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK_SAME(batch[i], curve.Eval(x[i]));
    // A logarithm that is not monotone may pass a point's y by a little on the way to it; the identity never does.
    if (std::is_same_v<Fx, Identity>) CHECK(x[i] != x[i] || (batch[i] >= low_y->y && batch[i] <= high_y->y));
  }
}

void TryLevels(Bytes bytes) {
  Level<std::int64_t> levels[5];
  for (auto& level : levels) level = {bytes.Take<std::int8_t>(), bytes.Take<double>()};
  const EnumCurve<std::int64_t, 5> curve(levels, Default{1}, Missing{2});
  std::vector<double> keys;
  while (bytes.left() != 0) keys.push_back(bytes.Take<double>());
  std::vector<double> batch(keys.size());
  const Keys<std::int64_t> column(keys.data());
  for (Rows at(0, keys.size()); at.count != 0; at.Next()) Block((at), batch.data() + at.first).Set(curve, column);
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK_SAME(batch[i], curve.Eval(column.At(i)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  switch (bytes.Take<std::uint8_t>() % 7) {
    case 0:
      TryCurve<2>(bytes, Identity{}, -INFINITY);
      break;
    case 1:
      TryCurve<6>(bytes, Identity{}, -INFINITY);
      break;
    case 2:
      TryCurve<20>(bytes, Identity{}, -INFINITY);
      break;
    case 3:
      TryCurve<4>(bytes, Log{}, 0.0);
      break;
    case 4:
      TryCurve<4>(bytes, Log1p{}, -1.0);
      break;
    case 5:
      TryCurve<4>(bytes, SymLog1p{}, -INFINITY);
      break;
    default:
      TryLevels(bytes);
  }
  return 0;
}
