// The loops over all rows. Compiled once for each instruction set, under a CURVEC_ABI of its own; it calls nothing of
// the standard library that could be shared between them. The bits are the same everywhere: no sum is reordered, and
// no multiply-add fused.
#pragma once

#include <cmath>
#include <curvec/lanes.hpp>
#include <curvec/vector_log.hpp>

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
using fit::Fx;
using fit::kRowBlock;

static_assert(kRowBlock % kLanes == 0, "blocks are whole vectors");

inline double Smaller(double a, double b) noexcept { return b < a ? b : a; }
inline double Larger(double a, double b) noexcept { return a < b ? b : a; }

inline void SurveyRows(const double* values, std::size_t count, fit::Survey& to) noexcept {
  Lanes low = to.low - Lanes{};
  Lanes high = to.high - Lanes{};
  Lanes bad{};  // NaN once a value is not finite
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    Lanes v;
    Load(values + k, v);
    low = v < low ? v : low;
    high = v > high ? v : high;
    bad += v * 0.0;
  }
  double lows[kLanes], highs[kLanes], bads[kLanes];
  Store(low, lows);
  Store(high, highs);
  Store(bad, bads);
  double sum = 0.0;
  for (std::size_t j = 0; j < kLanes; ++j) {
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

/// The cells of a whole block; see Cells::cell.
inline void LocateBlock(const CellMap& map, const double* x, std::uint32_t* to) noexcept {
  std::uint64_t cells[kRowBlock];
  for (std::size_t k = 0; k < kRowBlock; ++k) {
    const double inside = Smaller(Larger(x[k], map.low), map.high);
    const double size = Larger(inside < 0.0 ? -inside : inside, map.floor);
    std::int64_t bits;
    std::memcpy(&bits, &size, sizeof bits);
    bits -= map.floor_bits;
    bits = inside < 0.0 ? -bits : bits;
    cells[k] = static_cast<std::uint64_t>(bits - map.first) >> map.shift;
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

template <class FxType>
inline void TransformBlock(const double* x, double* to) noexcept {
  for (std::size_t k = 0; k < kRowBlock; k += kLanes) {
    Lanes values, result;
    Load(x + k, values);
    detail::TransformOf(FxType{}, values, result);
    Store(result, to + k);
  }
}

/// fx(x) of a block: where it is, or in `room`.
inline const double* Transformed(Fx fx, bool normal, const double* x, double* room) noexcept {
  switch (fx) {
    case Fx::identity:
      return x;
    case Fx::log:
      if (normal) {
        TransformBlock<Log>(x, room);
      } else {
        for (std::size_t k = 0; k < kRowBlock; ++k) room[k] = ::log(x[k]);
      }
      return room;
    case Fx::log1p:
      TransformBlock<Log1p>(x, room);
      return room;
    case Fx::symlog1p:
      TransformBlock<SymLog1p>(x, room);
      return room;
  }
  return x;
}

#if defined(__GNUC__)
using Eight __attribute__((vector_size(BinSums::kLanes * sizeof(double)))) = double;

inline void AddSums(BinSums& bin, double w, double u, double y, double v) noexcept {
  const Eight row = (w * Eight{u, y, u, u, y, v, v, v}) * Eight{1.0, 1.0, u, y, y, 1.0, v, y};
  Eight hi, lo;
  std::memcpy(&hi, bin.hi, sizeof hi);
  std::memcpy(&lo, bin.lo, sizeof lo);
  const Eight sum = hi + row;
  const Eight part = sum - hi;
  lo += (hi - (sum - part)) + (row - part);
  std::memcpy(bin.hi, &sum, sizeof sum);
  std::memcpy(bin.lo, &lo, sizeof lo);
}
#else
inline void AddSums(BinSums& bin, double w, double u, double y, double v) noexcept {
  const double wu = w * u;
  const double wy = w * y;
  const double wv = w * v;
  const double row[BinSums::kLanes] = {wu, wy, wu * u, wu * y, wy * y, wv, wv * v, wv * y};
  for (std::size_t k = 0; k < BinSums::kLanes; ++k) {
    const double sum = bin.hi[k] + row[k];
    const double part = sum - bin.hi[k];
    bin.lo[k] += (bin.hi[k] - (sum - part)) + (row[k] - part);
    bin.hi[k] = sum;
  }
}
#endif

inline void AddWeight(BinSums& bin, double w) noexcept {
  const double sum = bin.w_hi + w;
  const double part = sum - bin.w_hi;
  bin.w_lo += (bin.w_hi - (sum - part)) + (w - part);
  bin.w_hi = sum;
}

/// Where rows belong, and their logarithms, are found for a block first: both halves then run without waiting for each
/// other.
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
      AddWeight(bin, w);
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

inline constexpr fit::Kernels kKernels{&SurveyRows, &LocateRows, &PutRows};

}  // namespace row_kernels
}  // namespace CURVEC_ABI
}  // namespace curvec
