// The vectors that Python reads too: a line is fx, the number of points, the points, and pairs of x and value, in
// hexadecimal. A logarithm of another C library may differ in its last bits, so that those values have a bound.
#include <cmath>
#include <cstdio>
#include <curvec/curvec.hpp>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "check.hpp"

namespace {

using namespace curvec;

double Number(std::istream& line) {
  std::string word;
  line >> word;
  return std::strtod(word.c_str(), nullptr);
}

template <class Fx>
void CheckLine(std::istream& line, Fx fx, bool exact) {
  Point points[4];
  for (Point& point : points) {
    point.x = Number(line);
    point.y = Number(line);
  }
  const PWLCurve<4, Fx> curve(points, fx, Missing{-99});
  int pairs = 0;
  line >> pairs;
  for (int i = 0; i < pairs; ++i) {
    const double x = Number(line);
    const double wanted = Number(line);
    const double got = curve.Eval(x);
    if (exact) {
      CHECK_SAME(got, wanted);
    } else {
      CHECK(std::fabs(got - wanted) <= 4 * 2.3e-16 * 16);
    }
  }
}

}  // namespace

int main() {
  const char* path = std::getenv("CURVEC_VECTORS");
  std::ifstream file(path != nullptr ? path : "tests/vectors/curves.txt");
  std::string text;
  int lines = 0;
  for (; std::getline(file, text); ++lines) {
    std::istringstream line(text);
    std::string fx;
    line >> fx;
    if (fx == "identity") CheckLine(line, Identity{}, true);
    if (fx == "log") CheckLine(line, Log{}, false);
    if (fx == "log1p") CheckLine(line, Log1p{}, false);
    if (fx == "symlog1p") CheckLine(line, SymLog1p{}, false);
  }
  CHECK(lines >= 100);
}
