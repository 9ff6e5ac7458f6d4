// Two translation units with the header and the same curve in them are one program.
#include "two_units.hpp"

double OtherUnit(double x);

int main() { return OtherUnit(19.5) == kShared.Eval(19.5) ? 0 : 1; }
