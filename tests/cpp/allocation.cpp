// Scoring allocates nothing: operator new and malloc are counted while it runs.
#include <curvec/curvec.hpp>
#include <new>

#include "check.hpp"

namespace {

long allocations = 0;

}  // namespace

// Not inlined: gcc would see malloc and free behind new and delete, and warn that they do not match.
#if defined(__GNUC__)
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE
#endif

OUT_OF_LINE void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
OUT_OF_LINE void operator delete(void* memory) noexcept { std::free(memory); }
OUT_OF_LINE void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace curvec;

constexpr PWLCurve kCurve({{-2, 3.13}, {0.5, 0.5914}, {1, -0.7206}});
constexpr PWLCurve kLogged({{1, 0, 3.13}, {2, 0.6931471805599453, -0.7206}}, Log{});
constexpr StepCurve kStep({{-1, 1}, {0, 2}}, Below{0.25});
constexpr EnumCurve<std::string_view, 2> kText({{"a text that is too long for a small string", 0.5}, {"b", 1.5}});

double Scored() {
  static double x[1000];
  static double scores[1000];
  for (int i = 0; i < 1000; ++i) x[i] = i / 100.0;
  double total = 0;
  for (const double value : x) total += kCurve.Eval(value) + kLogged.Eval(value) + kStep.Eval(value);
  total += kText.Eval("a text that is too long for a small string");
  for (Rows at(0, 1000); at.count != 0; at.Next()) {
    Block block(at, scores + at.first);
    Buffer inner(at);
    inner.Set(kCurve, Numbers(x));
    block.Set(kStep, inner);
    block.Add(kLogged, Numbers(x));
  }
  return total + scores[999] + LogitLink::Inverse(total);
}

}  // namespace

int main() {
  operator delete(operator new(8));  // called by name: a new expression may be left out
  CHECK(allocations > 0);
  const long before = allocations;
  const double total = Scored();
  CHECK(total == total);
  CHECK(allocations == before);
}
