// Columns of every type of number, at every place in memory, for every node: one number, whichever way it is asked for.
#include <cmath>
#include <cstdint>
#include <curvec/curvec.hpp>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "check.hpp"

namespace {

using namespace curvec;

constexpr PWLCurve kPwl({{-200, -1}, {0, 3}, {300, 8.5}}, Missing{0.5});
constexpr PWLCurve kSymLog({{-200, -5.303304908059076, -1}, {300, 5.707110264748875, 8.5}}, SymLog1p{}, Missing{0.5});
constexpr StepCurve kStep({{-100, 1}, {0, 2}, {100, 3}}, Below{0.25}, Missing{7});
constexpr EnumCurve<std::int64_t, 4> kInt({{1, 10}, {-56, 20}, {200, 30}, {9007199254740992, 40}}, Default{5},
                                          Missing{6});
constexpr EnumCurve<bool, 2> kBool({{true, 10}, {false, 20}}, Default{5}, Missing{6});

template <class Curve, class Column>
std::vector<double> Batch(std::size_t rows, const Curve& curve, const Column& column) {
  std::vector<double> got(rows);
  for (Rows at(0, rows); at.count != 0; at.Next()) Block(at, got.data() + at.first).Set(curve, column);
  return got;
}

// The value that a row should have, or nothing.
struct Wanted {
  bool there;
  double number;
  bool is_key;  // of an integer feature
  std::int64_t key;
};

template <class Curve>
void CheckCurve(const Curve& curve, const Numbers& column, const std::vector<Wanted>& wanted) {
  const std::vector<double> batch = Batch(wanted.size(), curve, column);
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    const double number = wanted[row].there ? wanted[row].number : kNaN;
    CHECK_SAME(column.At(row), number);
    CHECK_SAME(batch[row], curve.Eval(number));
  }
}

void CheckRows(const curvec_column& raw, const std::vector<Wanted>& wanted) {
  const Numbers numbers(raw);
  CheckCurve(kPwl, numbers, wanted);
  CheckCurve(kSymLog, numbers, wanted);
  CheckCurve(kStep, numbers, wanted);
  const Keys<std::int64_t> ints(raw);
  const Keys<bool> bools(raw);
  const std::vector<double> batch = Batch(wanted.size(), kInt, ints);
  const std::vector<double> bool_batch = Batch(wanted.size(), kBool, bools);
  const std::vector<double> as_number = Batch(wanted.size(), kPwl, ints.numbers());
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    const Wanted& want = wanted[row];
    const Category<std::int64_t> category = ints.At(row);
    CHECK(category.missing() == !want.there);
    CHECK(category.has_key() == (want.there && want.is_key));
    CHECK(!category.has_key() || category.key() == want.key);
    CHECK_SAME(category.number(), want.there ? want.number : kNaN);  // what a curve of the same feature reads
    CHECK_SAME(kPwl.Eval(category.number()), as_number[row]);
    const double level = !want.there                            ? 6
                         : want.is_key && want.key == 1         ? 10
                         : want.is_key && want.key == -56       ? 20
                         : want.is_key && want.key == 200       ? 30
                         : want.is_key && want.key == 1LL << 53 ? 40
                                                                : 5;
    CHECK_SAME(batch[row], level);
    CHECK_SAME(kInt.Eval(category), level);
    const double flag = !want.there ? 6 : want.number == 1 ? 10 : want.number == 0 ? 20 : 5;
    CHECK_SAME(bool_batch[row], flag);
    CHECK_SAME(kBool.Eval(bools.At(row)), flag);
  }
}

template <class T>
std::vector<Wanted> WantedOf(const std::vector<T>& values) {
  std::vector<Wanted> wanted;
  for (const T value : values) {
    Wanted want{true, static_cast<double>(value), true, 0};
    if constexpr (std::is_floating_point_v<T>) {
      want.there = value == value;
      want.is_key = std::fabs(value) <= 9007199254740992.0 && std::floor(value) == value;
      want.key = want.is_key ? static_cast<std::int64_t>(value) : 0;
    } else {
      want.is_key = value <= 0 || static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(INT64_MAX);
      want.key = want.is_key ? static_cast<std::int64_t>(value) : 0;
    }
    wanted.push_back(want);
  }
  return wanted;
}

// In an array; with a bitmap; apart by a stride, backwards, and where no T may stand.
template <class T>
void CheckType(std::vector<T> values) {
  for (int times = 0; times < 8; ++times) values.insert(values.end(), values.begin(), values.begin() + 9);
  const std::vector<Wanted> wanted = WantedOf(values);
  auto array = std::make_unique<T[]>(values.size());  // std::vector<bool> has no array
  for (std::size_t i = 0; i < values.size(); ++i) array[i] = values[i];
  CheckRows(Numbers(array.get()).raw(), wanted);

  std::vector<std::uint8_t> valid(values.size() / 8 + 2, 0x5a);
  std::vector<Wanted> gaps = wanted;
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i].there &= (valid[(i + 3) / 8] >> (i + 3) % 8 & 1) != 0;
  CheckRows(Numbers(array.get(), valid.data(), 3).raw(), gaps);

  constexpr std::size_t kApart = sizeof(T) + 3;
  std::vector<char> bytes(values.size() * kApart + 1);
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(bytes.data() + 1 + i * kApart, &array[i], sizeof(T));
  curvec_column apart = Numbers(array.get()).raw();
  apart.values = bytes.data() + 1;
  apart.stride = kApart;
  CheckRows(apart, wanted);
  apart.values = bytes.data() + 1 + (values.size() - 1) * kApart;
  apart.stride = -static_cast<std::int64_t>(kApart);
  CheckRows(apart, std::vector<Wanted>(wanted.rbegin(), wanted.rend()));

  std::memcpy(bytes.data() + 1, array.get(), values.size() * sizeof(T));
  apart.values = bytes.data() + 1;
  apart.stride = 0;
  CheckRows(apart, wanted);
}

template <class T>
void CheckInteger() {
  using Limits = std::numeric_limits<T>;
  const auto some = [](long long value) { return static_cast<T>(value); };
  CheckType<T>({Limits::min(), Limits::max(), some(0), some(1), some(2), some(100), some(200), some(-1), some(-56),
                some(1LL << 53), some((1LL << 53) + 1), some(-(1LL << 53) - 1)});
}

template <class T>
void CheckFloating() {
  using Limits = std::numeric_limits<T>;
  CheckType<T>({Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max(), Limits::lowest(),
                Limits::denorm_min(), static_cast<T>(-0.0), 0, 1, static_cast<T>(1.5), 200, -56,
                static_cast<T>(9007199254740992.0), static_cast<T>(9.3e18), static_cast<T>(-9.3e18)});
}

// A column that nothing was assigned to is missing in every row, of whatever type, and so is a null pointer.
void CheckUnset() {
  const std::vector<Wanted> missing(3000, Wanted{false, 0, false, 0});
  CheckRows(Numbers().raw(), missing);
  CheckRows(Keys<std::int64_t>().raw(), missing);
  CheckRows(Numbers(static_cast<const float*>(nullptr)).raw(), missing);
  CheckRows(curvec_column{}, missing);
  constexpr EnumCurve<std::string_view, 1> kText({{"a", 1}}, Default{5}, Missing{6});
  for (const Keys<std::string_view>& column :
       {Keys<std::string_view>(), Keys<std::string_view>(static_cast<const std::string_view*>(nullptr)),
        Keys<std::string_view>(curvec_column{})}) {
    CHECK(column.At(2999).missing());
    for (const double value : Batch(3000, kText, column)) CHECK_SAME(value, 6);
  }
}

}  // namespace

int main() {
  CheckInteger<signed char>();
  CheckInteger<unsigned char>();
  CheckInteger<short>();
  CheckInteger<unsigned short>();
  CheckInteger<int>();
  CheckInteger<unsigned int>();
  CheckInteger<long>();
  CheckInteger<unsigned long>();
  CheckInteger<long long>();
  CheckInteger<unsigned long long>();
  CheckType<bool>({true, false, true, true, false, false, true, false, true});
  CheckFloating<float>();
  CheckFloating<double>();
  CheckUnset();
}
