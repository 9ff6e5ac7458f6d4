// What the tests assert with: a failure says where, and in hexadecimal what.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

inline bool SameBits(double a, double b) { return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0; }

inline void CheckSame(double got, double wanted, const char* file, int line) {
  if (SameBits(got, wanted)) return;
  std::fprintf(stderr, "%s:%d: got %a, wanted %a\n", file, line, got, wanted);
  std::abort();
}

inline void CheckTrue(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
  std::abort();
}

#define CHECK_SAME(got, wanted) CheckSame(got, wanted, __FILE__, __LINE__)
#define CHECK(condition) CheckTrue(condition, #condition, __FILE__, __LINE__)
