// Included once for each instruction set, under a CURVEC_ABI of its own.
#pragma once

#include <curvec/engine.hpp>

#include "fit/row_kernels.hpp"
#include "fit/segment_kernels.hpp"
#include "levels/level.hpp"

namespace curvec {
inline namespace CURVEC_ABI {

inline void RunRows(const program::Task& task, std::size_t first, std::size_t last) { RunTask(task, first, last); }

inline constexpr levels::Level kLevel{
    {&row_kernels::SurveyRows, &row_kernels::LocateRows, &row_kernels::HashRows, &row_kernels::PutRows,
     &segment_kernels::Tabulate, &segment_kernels::MeetStarts, &segment_kernels::PriceSegments,
     &segment_kernels::CarryBounds, &segment_kernels::LeastAt, &segment_kernels::FindBelow},
    &RunRows};

}  // namespace CURVEC_ABI
}  // namespace curvec
