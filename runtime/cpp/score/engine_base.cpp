#include "score/engine.hpp"

namespace curvec::score {

void run_base(const Task& task) { engine::Run(task); }

}  // namespace curvec::score
