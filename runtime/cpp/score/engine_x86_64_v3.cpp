#include "score/engine.hpp"

namespace curvec::score {

void run_x86_64_v3(const Task& task) { engine::Run(task); }

}  // namespace curvec::score
