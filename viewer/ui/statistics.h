// Statistics of the focused lane over what is in view, or between the cursors when both stand: the time between its events,
// or the width of its spans, in numbers and as a histogram.
#pragma once

#include "viewer/ui/context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::ui {

class Statistics {
public:
    // Returns the height it took.
    float draw(Context& context, const Rect& place);

private:
    struct Reading {
        const char* label;
        std::string value;
    };
    void refresh(const Context& context);
    void compute(const Context& context);
    // Name, counts and times; returns the height they took.
    float draw_numbers(Context& context, const Rect& place) const;
    void draw_histogram(Context& context, const Rect& place) const;

    const store::Lane* lane_ = nullptr;
    timeline::TickRange range_;
    std::uint64_t size_ = 0;
    double rest_ = 0;  // seconds until it may be computed again
    std::string title_;
    std::string count_, lost_;
    std::vector<Reading> readings_;
    std::vector<double> bars_;  // 0 to 1, over the logarithm of the width
    std::string least_, most_;
};

}  // namespace sla::ui
