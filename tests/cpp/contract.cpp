// The promises that a compiler can check: the static_asserts are the test.
#include <array>
#include <curvec/curvec.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace curvec;

constexpr PWLCurve kAge({{18, 3.13}, {21, 0.5914}, {46, -0.7206}});
constexpr PWLCurve kLogAge({{18, 2.8903717578961645, 3.13}, {46, 3.828641396489095, -0.7206}}, Log{}, Missing{0.5});
constexpr StepCurve kStep({{18, 3.13}, {21, 0.5914}}, Below{0.5}, Missing{7});
constexpr EnumCurve<std::int64_t, 2> kDegree({{1, 0.0198}, {2, -0.0384}}, Default{0.25}, Missing{0.5});
constexpr EnumCurve<std::string_view, 3> kText({{"a", 1}, {"a\0b", 2}, {"", 3}});
constexpr EnumCurve<bool, 2> kFlag({{true, 1}, {false, 2}});

// Tables are constants, and where no logarithm is needed so are values.
static_assert(kAge.Eval(21) == 0.5914 && kAge.Eval(-1e300) == 3.13 && kAge.Eval(1e300) == -0.7206);
static_assert(kAge.Eval(kNaN) != kAge.Eval(kNaN));
static_assert(kStep.Eval(17.9) == 0.5 && kStep.Eval(18) == 3.13 && kStep.Eval(99) == 0.5914 && kStep.Eval(kNaN) == 7);
static_assert(kDegree.Eval(2) == -0.0384 && kDegree.Eval(3) == 0.25 && kDegree.Eval(std::nullopt) == 0.5);
static_assert(kDegree.Eval(Category<std::int64_t>::FromNumber(1.5)) == 0.25);
static_assert(kText.Eval("a") == 1 && kText.Eval(std::string_view("a\0b", 3)) == 2 && kText.Eval("") == 3);
static_assert(kFlag.Eval(true) == 1 && kFlag.Eval(false) == 2);

// The sum of no terms is where it starts.
static_assert(GroupedSum(5.0, std::array<double, 0>{}) == 5.0 && GroupedSum(5.0, std::array<double, 1>{2.0}) == 7.0);

// Scoring never throws.
static_assert(noexcept(kAge.Eval(1.0)) && noexcept(kLogAge.Eval(1.0)) && noexcept(kStep.Eval(1.0)));
static_assert(noexcept(kDegree.Eval(1)) && noexcept(kText.Eval("a")) && noexcept(kFlag.Eval(true)));
static_assert(noexcept(Product(1.0, 2.0, 3.0)) && noexcept(LogitLink::Inverse(1.0)) && noexcept(LogLink::Inverse(1.0)));
static_assert(noexcept(std::declval<Block&>().Add(kAge, std::declval<const Numbers&>())));
static_assert(noexcept(std::declval<Block&>().Set(kDegree, std::declval<const Keys<std::int64_t>&>())));
static_assert(noexcept(std::declval<const Numbers&>().At(0)) && noexcept(std::declval<const Keys<bool>&>().At(0)));

// What has a destructor or a lock may do something behind a caller's back; nothing here has.
static_assert(std::is_trivially_destructible_v<decltype(kAge)> && std::is_trivially_copyable_v<decltype(kAge)>);
static_assert(std::is_trivially_destructible_v<decltype(kText)> && std::is_trivially_copyable_v<decltype(kText)>);
static_assert(std::is_trivially_copyable_v<Numbers> && std::is_trivially_copyable_v<Keys<std::string_view>>);

// A key of another kind is not converted: no fraction is cut, no bool or pointer becomes a number.
using Int = Category<std::int64_t>;
static_assert(std::is_convertible_v<int, Int> && std::is_convertible_v<std::uint32_t, Int>);
static_assert(std::is_convertible_v<std::optional<int>, Int> && std::is_convertible_v<std::nullopt_t, Int>);
static_assert(!std::is_convertible_v<double, Int> && !std::is_convertible_v<bool, Int>);
static_assert(!std::is_convertible_v<std::uint64_t, Int> && !std::is_convertible_v<const char*, Int>);
static_assert(!std::is_convertible_v<int, Category<bool>> && !std::is_convertible_v<const char*, Category<bool>>);
static_assert(std::is_convertible_v<const char*, Category<std::string_view>>);
static_assert(std::is_convertible_v<std::string, Category<std::string_view>>);
static_assert(!std::is_convertible_v<int, Category<std::string_view>>);

}  // namespace

int main() {}
