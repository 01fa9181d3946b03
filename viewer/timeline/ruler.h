// The marks of a time ruler: steps of 1, 2 or 5 times a power of ten, far enough apart for their labels.
//
// While full times are short every mark carries its own ("12.310 ms"). Deep in a long capture they would be too long; then
// marks count from the last round time ("+20 ns"), and that time stands at its own mark or at the left edge (`base`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sla::timeline {

struct RulerMark {
    double x = 0.0;  // pixels from the left edge
    bool major = false;
    bool base = false;  // a round time that later marks count from
    std::string label;  // only majors have one
};

struct Ruler {
    std::vector<RulerMark> marks;  // by x
    std::string base;              // the round time left of the view; empty when marks carry full times
    std::int64_t step_ps = 1;      // between majors
};

struct RulerScale {
    std::int64_t first_ps = 0;  // at the left edge
    double ps_per_pixel = 1.0;
    double width = 1.0;
};

// The smallest of 1, 2, 5 times a power of ten that is at least `ps`, at least 1.
std::int64_t nice_step(double ps);

// `character_pixels`: how wide one digit of a label is.
Ruler make_ruler(const RulerScale& scale, double character_pixels);

}  // namespace sla::timeline
