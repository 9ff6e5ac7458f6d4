// The engine of programs (curvec/engine.hpp), compiled for each level of x86-64 that the core is compiled for.
#pragma once

#include <cstddef>
#include <curvec/nodes.hpp>

namespace curvec::score {

using Engine = void (*)(const program::Task&, std::size_t first, std::size_t last);

void run_base(const program::Task& task, std::size_t first, std::size_t last);
#if defined(CURVEC_X86_64_LEVELS)
void run_x86_64_v3(const program::Task& task, std::size_t first, std::size_t last);
void run_x86_64_v4(const program::Task& task, std::size_t first, std::size_t last);
#endif

}  // namespace curvec::score
