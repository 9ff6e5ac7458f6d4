// The loops over all rows. Compiled once for each instruction set, under a CURVEC_ABI of its own; it calls nothing of
// the standard library that could be shared between them. The bits are the same everywhere: no sum is reordered, and
// no multiply-add fused.
#pragma once

#include <cmath>
#include <curvec/lanes.hpp>
#include <curvec/vector_log.hpp>
#include <limits>

#include "fit/kernels.hpp"

namespace curvec {
inline namespace CURVEC_ABI {
namespace row_kernels {

using detail::kLanes;
using detail::Lanes;
using detail::Load;
using detail::Store;
using fit::BinSums;
using fit::CellMap;
using fit::kRowBlock;

static_assert(kRowBlock % kLanes == 0, "blocks are whole vectors");

inline double Smaller(double a, double b) noexcept { return b < a ? b : a; }
inline double Larger(double a, double b) noexcept { return a < b ? b : a; }

inline void SurveyRows(const double* values, std::size_t count, fit::Survey& to) noexcept {
  constexpr std::size_t kChains = 4;  // so that no comparison waits for the one before
  constexpr std::size_t kStep = kChains * kLanes;
  Lanes low[kChains], high[kChains], bad[kChains];  // bad is NaN once a value is not finite
  for (std::size_t c = 0; c < kChains; ++c) {
    low[c] = to.low - Lanes{};
    high[c] = to.high - Lanes{};
    bad[c] = Lanes{};
  }
  std::size_t k = 0;
  for (; k + kStep <= count; k += kStep) {
    for (std::size_t c = 0; c < kChains; ++c) {
      Lanes v;
      Load(values + k + c * kLanes, v);
      low[c] = v < low[c] ? v : low[c];
      high[c] = v > high[c] ? v : high[c];
      bad[c] += v * 0.0;
    }
  }
  double lows[kStep], highs[kStep], bads[kStep];
  std::memcpy(lows, low, sizeof lows);
  std::memcpy(highs, high, sizeof highs);
  std::memcpy(bads, bad, sizeof bads);
  double sum = 0.0;
  for (std::size_t j = 0; j < kStep; ++j) {
    to.low = Smaller(to.low, lows[j]);
    to.high = Larger(to.high, highs[j]);
    sum += bads[j];
  }
  for (; k < count; ++k) {
    to.low = Smaller(to.low, values[k]);
    to.high = Larger(to.high, values[k]);
    sum += values[k] * 0.0;
  }
  to.finite = to.finite && sum == 0.0;
}

#if defined(__GNUC__)
using Integers __attribute__((vector_size(kLanes * sizeof(std::int64_t)))) = std::int64_t;
using Naturals __attribute__((vector_size(kLanes * sizeof(std::uint64_t)))) = std::uint64_t;
#else
using Integers = std::int64_t;
using Naturals = std::uint64_t;
#endif

/// The bits of values, -0 as 0 and every NaN as one value.
inline Naturals CanonicalBits(Lanes values) noexcept {
  values = values == values ? values + 0.0 : std::numeric_limits<double>::quiet_NaN() - Lanes{};
  Naturals bits;
  std::memcpy(&bits, &values, sizeof bits);
  return bits;
}

/// A number of each row from its values; `to` has room for a vector more. A step is one to
/// one, so that rows which differ in one column never share it; the last one makes each bit depend on all before it
/// (SplitMix64; Steele, Lea and Flood 2014).
inline void HashBlock(const double* const* columns, std::size_t count, std::size_t begin, std::size_t rows,
                      std::uint64_t seed, std::uint64_t* to) noexcept {
  const std::size_t whole = rows / kLanes * kLanes;
  for (std::size_t k = 0; k < rows + kLanes; ++k) to[k] = seed;
  for (std::size_t c = 0; c < count; ++c) {
    const double* const from = columns[c] + begin;
    double rest[kLanes] = {};
    for (std::size_t k = whole; k < rows; ++k) rest[k - whole] = from[k];
    for (std::size_t k = 0; k < rows; k += kLanes) {
      Lanes values;
      Load(k < whole ? from + k : rest, values);
      Naturals mixed;
      std::memcpy(&mixed, to + k, sizeof mixed);
      mixed = (mixed ^ CanonicalBits(values)) * 0x9E3779B97F4A7C15u;
      mixed ^= mixed >> 32;
      std::memcpy(to + k, &mixed, sizeof mixed);
    }
  }
  for (std::size_t k = 0; k < rows; ++k) {
    std::uint64_t bits = to[k];
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    to[k] = bits ^ (bits >> 31);
  }
}

inline void HashRows(const double* const* columns, std::size_t count, std::size_t rows, std::uint64_t seed,
                     std::uint64_t* to) noexcept {
  constexpr std::size_t kHashedRows = 1024;  // at a time, so that their hashes stay in the nearest cache
  std::uint64_t room[kHashedRows + kLanes];
  for (std::size_t begin = 0; begin < rows; begin += kHashedRows) {
    const std::size_t some = rows - begin < kHashedRows ? rows - begin : kHashedRows;
    HashBlock(columns, count, begin, some, seed, room);
    std::memcpy(to + begin, room, some * sizeof *to);
  }
}

/// The cells of a whole block; see Cells::cell.
inline void LocateBlock(const CellMap& map, const double* x, std::uint32_t* to) noexcept {
  std::uint64_t cells[kRowBlock];
  const Lanes low = map.low - Lanes{};
  const Lanes high = map.high - Lanes{};
  const Lanes floor = map.floor - Lanes{};
  for (std::size_t k = 0; k < kRowBlock; k += kLanes) {
    Lanes inside;
    Load(x + k, inside);
    inside = inside < low ? low : inside;
    inside = inside > high ? high : inside;
    Lanes size = inside < 0.0 ? -inside : inside;
    size = size < floor ? floor : size;
    Integers bits;
    std::memcpy(&bits, &size, sizeof bits);
    bits -= map.floor_bits;
    bits = inside < 0.0 ? -bits : bits;
    bits -= map.first;
    Naturals cell;  // a shift of unsigned numbers is one instruction everywhere
    std::memcpy(&cell, &bits, sizeof cell);
    cell >>= map.shift;
    std::memcpy(cells + k, &cell, sizeof cell);
  }
  for (std::size_t k = 0; k < kRowBlock; ++k) to[k] = static_cast<std::uint32_t>(cells[k]);
}

/// A block of x, filled up with its last value.
inline const double* WholeBlock(const double* x, std::size_t count, double* room) noexcept {
  if (count == kRowBlock) return x;
  for (std::size_t k = 0; k < kRowBlock; ++k) room[k] = x[k < count ? k : count - 1];
  return room;
}

inline void LocateRows(const CellMap& map, const double* x, std::size_t count, std::uint32_t* to) noexcept {
  double room[kRowBlock];
  std::uint32_t cells[kRowBlock];
  if (count == 0) return;
  LocateBlock(map, WholeBlock(x, count, room), cells);
  for (std::size_t k = 0; k < count; ++k) to[k] = cells[k];
}

/// The number of edges <= x, for a block.
inline void BinBlock(const fit::Rows& rows, const double* x, std::uint32_t* bins) noexcept {
  std::uint32_t cells[kRowBlock];
  LocateBlock(rows.cells, x, cells);
  std::uint32_t any = 0;
  for (std::size_t k = 0; k < kRowBlock; ++k) {
    bins[k] = rows.cell_starts[cells[k]];
    any |= bins[k];
  }
  std::uint32_t more[kRowBlock];
  for (std::size_t k = 0; k < kRowBlock; ++k) {
    more[k] = static_cast<std::uint32_t>(rows.edges[bins[k] & ~fit::kCrowded] <= x[k]);
  }
  for (std::size_t k = 0; k < kRowBlock; ++k) bins[k] += more[k];
  if ((any & fit::kCrowded) == 0) return;
  for (std::size_t k = 0; k < kRowBlock; ++k) {
    if ((bins[k] & fit::kCrowded) == 0) continue;
    // The cell's last edge is at or before the next cell's first.
    std::size_t low = bins[k] & ~fit::kCrowded;
    std::size_t high = rows.cell_starts[cells[k] + 1] & ~fit::kCrowded;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (rows.edges[middle] <= x[k]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    bins[k] = static_cast<std::uint32_t>(low);
  }
}

template <class Fx>
inline void TransformBlock(bool normal, const double* x, double* to) noexcept {
  if (!detail::HasVectorForm(Fx{}, normal ? detail::kLeastNormal : 0.0)) {
    for (std::size_t k = 0; k < kRowBlock; ++k) to[k] = Fx::Forward(x[k]);
    return;
  }
  for (std::size_t k = 0; k < kRowBlock; k += kLanes) {
    Lanes values, result;
    Load(x + k, values);
    detail::TransformOf(Fx{}, values, result);
    Store(result, to + k);
  }
}

/// fx(x) of a block, fx in a place of Transforms: where it is, or in `room`.
inline const double* Transformed(std::int32_t fx, bool normal, const double* x, double* room) noexcept {
  if (fx == Transforms::Place(Identity::kName)) return x;
  Transforms::With(fx, [&](auto transform) { TransformBlock<decltype(transform)>(normal, x, room); });
  return room;
}

// Adds to neighbouring sums hi + lo: hi is the sum in doubles, lo what its roundings took off, each found exactly
// (Knuth 1997, The Art of Computer Programming 2, section 4.2.2, theorem B).
template <class Part>
inline void AddTo(double* hi, double* lo, const Part& row) noexcept {
  Part high, low;
  std::memcpy(&high, hi, sizeof high);
  std::memcpy(&low, lo, sizeof low);
  const Part sum = high + row;
  const Part part = sum - high;
  low += (high - (sum - part)) + (row - part);
  std::memcpy(hi, &sum, sizeof sum);
  std::memcpy(lo, &low, sizeof low);
}

// Adds a row's eight products, in the order of BinSums. They are made in registers of the processor's own width: by way
// of an array, or of wider vectors that the compiler keeps in one, each row would wait until its own stores are done.
inline void AddSums(BinSums& bin, double w, double u, double y, double v) noexcept {
#if defined(__GNUC__) && defined(__AVX__)
  using Eight __attribute__((vector_size(BinSums::kLanes * sizeof(double)))) = double;
  AddTo<Eight>(bin.hi, bin.lo, (w * Eight{u, y, u, u, y, v, v, v}) * Eight{1.0, 1.0, u, y, y, 1.0, v, y});
#elif defined(__GNUC__)
  using Two __attribute__((vector_size(2 * sizeof(double)))) = double;
  AddTo<Two>(bin.hi, bin.lo, w * Two{u, y});
  AddTo<Two>(bin.hi + 2, bin.lo + 2, (w * Two{u, u}) * Two{u, y});
  AddTo<Two>(bin.hi + 4, bin.lo + 4, (w * Two{y, v}) * Two{y, 1.0});
  AddTo<Two>(bin.hi + 6, bin.lo + 6, (w * Two{v, v}) * Two{v, y});
#else
  AddTo<double>(bin.hi, bin.lo, w * u);
  AddTo<double>(bin.hi + 1, bin.lo + 1, w * y);
  AddTo<double>(bin.hi + 2, bin.lo + 2, (w * u) * u);
  AddTo<double>(bin.hi + 3, bin.lo + 3, (w * u) * y);
  AddTo<double>(bin.hi + 4, bin.lo + 4, (w * y) * y);
  AddTo<double>(bin.hi + 5, bin.lo + 5, w * v);
  AddTo<double>(bin.hi + 6, bin.lo + 6, (w * v) * v);
  AddTo<double>(bin.hi + 7, bin.lo + 7, (w * v) * y);
#endif
}

/// Puts rows into their bins, block by block: one loop finds the bins of a block, one the logarithms, one adds. Within
/// each of these the processor overlaps the work on neighbouring rows; in one loop over all three it could not.
template <bool ones>
inline void PutBlock(const fit::Rows& rows, std::size_t begin, std::size_t count) noexcept {
  double x_room[kRowBlock], u_room[kRowBlock], v_room[kRowBlock];
  std::uint32_t bins[kRowBlock];
  const double* x = WholeBlock(rows.x + begin, count, x_room);
  BinBlock(rows, x, bins);
  const double* u = Transformed(rows.first, rows.normal, x, u_room);
  const double* v = Transformed(rows.second, rows.normal, x, v_room);
  for (std::size_t k = 0; k < count; ++k) {
    const double w = ones ? 1.0 : rows.w[begin + k] / rows.unit;
    if (!ones && !(w > 0.0)) continue;
    BinSums& bin = rows.bins[bins[k]];
    const fit::Start& start = rows.starts[bins[k]];
    if (x[k] < bin.first) bin.first = x[k];
    if (x[k] > bin.last) bin.last = x[k];
    if (ones) {
      bin.w_hi += 1.0;  // a count, exact
    } else {
      AddTo<double>(&bin.w_hi, &bin.w_lo, w);
    }
    AddSums(bin, w, u[k] - start.u, rows.y[begin + k] - rows.y_origin, v[k] - start.v);
  }
}

inline void PutRows(const fit::Rows& rows, std::size_t begin, std::size_t end) noexcept {
  for (std::size_t start = begin; start < end; start += kRowBlock) {
    const std::size_t count = end - start < kRowBlock ? end - start : kRowBlock;
    if (rows.w) {
      PutBlock<false>(rows, start, count);
    } else {
      PutBlock<true>(rows, start, count);
    }
  }
}

}  // namespace row_kernels
}  // namespace CURVEC_ABI
}  // namespace curvec
