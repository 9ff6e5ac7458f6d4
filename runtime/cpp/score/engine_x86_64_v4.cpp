#include "score/engine.hpp"

namespace curvec::score {

void run_x86_64_v4(const Task& task) { engine::Run(task); }

}  // namespace curvec::score
