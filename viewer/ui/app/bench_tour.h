// What a restless person does: jumps anywhere at any zoom and to any lane, zooms and pans there for a while, rests for a moment.
// The same in every run.
#pragma once

#include "viewer/workspace/view/view.h"

#include <random>

namespace sla::ui {

class BenchTour {
public:
    explicit BenchTour(workspace::View& view) : view_(view) {}

    void step();

private:
    enum class Act { kZoom, kPan, kRest };

    void begin();

    workspace::View& view_;
    std::mt19937_64 random_{1};
    Act act_ = Act::kRest;
    int left_ = 0;  // steps
    double factor_ = 1;
    double pixels_ = 0;
};

}  // namespace sla::ui
