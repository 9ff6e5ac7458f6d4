#include "levels/compiled.hpp"

const curvec::levels::Level& curvec::levels::base() { return kLevel; }
