#include <curvec/engine.hpp>

#include "score/engines.hpp"

namespace curvec::score {

void run_base(const program::Task& task, std::size_t first, std::size_t last) { RunTask(task, first, last); }

}  // namespace curvec::score
