#include "levels/compiled.hpp"

const curvec::levels::Level& curvec::levels::x86_64_v4() { return kLevel; }
