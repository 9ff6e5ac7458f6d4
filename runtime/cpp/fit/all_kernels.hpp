// The kernels of one instruction set: included once for each, under a CURVEC_ABI of its own.
#pragma once

#include "fit/row_kernels.hpp"
#include "fit/segment_kernels.hpp"

namespace curvec {
inline namespace CURVEC_ABI {

inline constexpr fit::Kernels kKernels{
    &row_kernels::SurveyRows,      &row_kernels::LocateRows,     &row_kernels::PutRows,
    &segment_kernels::Tabulate,    &segment_kernels::MeetStarts, &segment_kernels::PriceSegments,
    &segment_kernels::CarryBounds, &segment_kernels::LeastAt,    &segment_kernels::FindBelow};

}  // namespace CURVEC_ABI
}  // namespace curvec
