// The batch gives the bits of the one-row form: for any number of rows, any storage, with and without validity.
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <curvec/curvec.hpp>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

#include "check.hpp"

namespace {

using namespace curvec;

constexpr PWLCurve kFew({{-2, 3.13}, {0.5, 0.5914}, {1, -0.7206}, {3, 8}}, Missing{0.5});
constexpr StepCurve kStep({{-1, 1}, {0, 2}, {2, 3}}, Below{0.25}, Missing{7});
constexpr EnumCurve<std::int64_t, 2> kInt({{1, 0.5}, {-2, 1.5}}, Default{2.5}, Missing{3.5});
constexpr EnumCurve<std::string_view, 2> kText({{"a", 0.5}, {"bc", 1.5}}, Default{2.5}, Missing{3.5});

struct Table {
  explicit Table(std::size_t rows, std::mt19937_64& random) : doubles(rows), codes(rows), valid(rows / 8 + 2) {
    std::normal_distribution<double> normal(0, 2);
    for (std::size_t i = 0; i < rows; ++i) {
      doubles[i] = random() % 10 == 0 ? kNaN : normal(random);
      floats.push_back(static_cast<float>(doubles[i]));
      longs.push_back(static_cast<std::int64_t>(random() % 7) - 3);
      ints.push_back(static_cast<std::int32_t>(longs[i]));
      bytes.push_back(static_cast<std::int8_t>(longs[i]));
      codes[i] = static_cast<std::int32_t>(random() % 5) - 1;
      views.push_back(random() % 2 == 0 ? "a" : "bc");
    }
    for (auto& byte : valid) byte = static_cast<std::uint8_t>(random());
  }
  std::vector<double> doubles;
  std::vector<float> floats;
  std::vector<std::int64_t> longs;
  std::vector<std::int32_t> ints;
  std::vector<std::int8_t> bytes;
  std::vector<std::int32_t> codes;
  std::vector<std::string_view> views;
  std::vector<std::uint8_t> valid;
};

// The three operations on the curve's values, against the same operations on one row at a time.
template <class Curve, class Column>
void CheckColumn(const Curve& curve, const Column& column, std::size_t rows) {
  std::vector<double> got(rows);
  for (Rows at(0, rows); at.count != 0; at.Next()) {
    Block block(at, got.data() + at.first);
    block.Set(curve, column);
    block.Add(curve, column);
    block.Multiply(curve, column);
    Buffer copy(at);
    copy.Set(block);
    block.Add(copy);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const double value = curve.Eval(column.At(row));
    const double product = Product(value + value, value);
    CHECK_SAME(got[row], product + product);
  }
}

void CheckNested(const Table& table, std::size_t rows) {
  std::vector<double> got(rows);
  const Numbers x(table.doubles.data());
  for (Rows at(0, rows); at.count != 0; at.Next()) {
    Block block(at, got.data() + at.first);
    Buffer inner(at);
    inner.Set(kFew, x);
    inner.Add(x);
    block.Set(kStep, inner);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    CHECK_SAME(got[row], kStep.Eval(kFew.Eval(table.doubles[row]) + table.doubles[row]));
  }
}

void CheckNumbers(const Table& table, std::size_t rows) {
  const PWLCurve logged({{0.1, 1}, {1, 2}, {2, 1.5}}, Log{}, Missing{9});
  Point many_points[40];
  for (int k = 0; k < 40; ++k) many_points[k] = {k / 10.0 - 2, (k * 7 % 11) / 3.0};
  const PWLCurve many(many_points);
  const std::uint8_t* valid = table.valid.data();
  for (const Numbers& column :
       {Numbers(table.doubles.data()), Numbers(table.floats.data()), Numbers(table.longs.data()),
        Numbers(table.ints.data()), Numbers(table.bytes.data()), Numbers(table.doubles.data(), valid),
        Numbers(table.floats.data(), valid, 3), Numbers(table.longs.data(), valid, 5)}) {
    CheckColumn(kFew, column, rows);
    CheckColumn(kStep, column, rows);
    CheckColumn(logged, column, rows);
    CheckColumn(many, column, rows);
  }
}

void CheckKeys(const Table& table, std::size_t rows) {
  const std::uint8_t* valid = table.valid.data();
  using Ints = Keys<std::int64_t>;
  for (const Ints& column : {Ints(table.longs.data()), Ints(table.ints.data(), valid, 2), Ints(table.bytes.data()),
                             Ints(table.doubles.data()), Ints(table.floats.data(), valid)}) {
    CheckColumn(kInt, column, rows);
  }
  const std::int64_t offsets[] = {0, 1, 1, 3, 4};
  const char* text = "abcz";
  const curvec_column coded{table.codes.data(), offsets, text, valid, 1, 0, 4, CURVEC_TEXT_CODES};
  CheckColumn(kText, Keys<std::string_view>(coded), rows);
  CheckColumn(kText, Keys<std::string_view>(table.views.data(), valid), rows);
  const curvec_column plain{nullptr, offsets, text, nullptr, 0, 0, 0, CURVEC_TEXT};
  CheckColumn(kText, Keys<std::string_view>(plain), rows < 4 ? rows : 4);
}

// Curves of every number of points at what is around their points, at the ends of the doubles and the floats, at zeros
// and at NaN; in double columns and in float columns, where each is the nearest float.
template <std::size_t K, class Fx>
void CheckAround(Fx fx, std::mt19937_64& random) {
  Point points[K];
  double x = 0.25;
  for (Point& point : points) {
    point = {x, random() % 4 == 0 ? -0.0 : std::normal_distribution<double>(0, 2)(random)};
    x += std::exponential_distribution<double>(3)(random) + 1e-3;
  }
  const double zero = std::is_same_v<Fx, Log> ? 0.0 : points[K / 2].x;
  for (Point& point : points) point.x -= zero;
  const PWLCurve<K, Fx> curve(points, fx, Missing{-0.0});
  std::vector<double> values{kNaN,
                             -kNaN,
                             INFINITY,
                             -INFINITY,
                             0.0,
                             -0.0,
                             5e-324,
                             -5e-324,
                             1e-300,
                             -1e-300,
                             1e300,
                             -1e300,
                             static_cast<double>(FLT_MAX),
                             static_cast<double>(-FLT_MAX),
                             DBL_MAX,
                             -DBL_MAX,
                             DBL_MIN};
  for (const Point& point : points) {
    const auto near = static_cast<float>(point.x);
    for (const double value : {point.x, static_cast<double>(near)}) {
      for (const double to : {-INFINITY, INFINITY}) values.push_back(std::nextafter(value, to));
      values.push_back(value);
    }
    for (const float to : {-INFINITY, INFINITY}) values.push_back(static_cast<double>(std::nextafter(near, to)));
  }
  for (int i = 0; i < 50; ++i) values.push_back(std::normal_distribution<double>(0, 3)(random));
  std::vector<float> floats;
  for (const double value : values) {
    floats.push_back(std::fabs(value) > static_cast<double>(FLT_MAX)
                         ? static_cast<float>(value > 0 ? INFINITY : -INFINITY)
                         : static_cast<float>(value));
  }
  CheckColumn(curve, Numbers(values.data()), values.size());
  CheckColumn(curve, Numbers(floats.data()), floats.size());
}

// The numbers of points at which another way of finding and keeping the segments begins, and their neighbours.
void CheckCounts(std::mt19937_64& random) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    CheckAround<2>(Identity{}, random);
    CheckAround<3>(Identity{}, random);
    CheckAround<6>(Identity{}, random);
    CheckAround<7>(Identity{}, random);
    CheckAround<8>(Identity{}, random);
    CheckAround<15>(Identity{}, random);
    CheckAround<16>(Identity{}, random);
    CheckAround<2>(Log{}, random);
    CheckAround<8>(Log{}, random);
    CheckAround<6>(SymLog1p{}, random);
  }
}

// Logarithms in a batch have the bits of the one-row form's, of doubles of every size and around 1.
template <class Fx>
void CheckTransform(Fx fx, double low, std::mt19937_64& random) {
  const PWLCurve<2, Fx> curve({{low, 0}, {DBL_MAX, 1e300}}, fx);
  std::vector<double> x(100000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t bits = random() >> 1;
    std::memcpy(&x[i], &bits, sizeof bits);
    if (i % 3 == 1) x[i] = std::uniform_real_distribution<double>(0, 10)(random);
    if (i % 3 == 2) x[i] = 1 + std::ldexp(std::normal_distribution<double>(0, 1)(random), -static_cast<int>(bits % 52));
  }
  CheckColumn(curve, Numbers(x.data()), x.size());
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  CheckCounts(random);
  CheckTransform(Log{}, DBL_MIN, random);
  CheckTransform(Log{}, 5e-324, random);
  CheckTransform(Log1p{}, -0.999, random);
  CheckTransform(SymLog1p{}, -DBL_MAX / 4, random);
  for (const std::size_t rows : {0UL, 1UL, 7UL, 8UL, 1023UL, 1024UL, 1025UL, 3000UL}) {
    const Table table(rows, random);
    CheckNumbers(table, rows);
    CheckKeys(table, rows);
    CheckNested(table, rows);
  }
}
