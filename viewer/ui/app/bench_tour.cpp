#include "viewer/ui/app/bench_tour.h"

#include <algorithm>
#include <cmath>

namespace sla::ui {

namespace {

constexpr std::uint64_t kFarthestLane = 2000;  // pixels

}  // namespace

void BenchTour::step() {
    if (left_ == 0) begin();
    --left_;
    const double width = view_.target().width();
    switch (act_) {
        case Act::kZoom: return view_.zoom_at(std::fmod(static_cast<double>(random_()), width), factor_);
        case Act::kPan: return view_.pan(pixels_);
        case Act::kRest: return;
    }
}

void BenchTour::begin() {
    act_ = static_cast<Act>(random_() % 3);
    left_ = 10 + static_cast<int>(random_() % 30);
    factor_ = random_() % 2 == 0 ? 0.8 : 1.25;
    pixels_ = static_cast<double>(random_() % 200) - 100;
    if (random_() % 2 != 0) return;
    const timeline::TickRange all = view_.extent();
    const double length = static_cast<double>(std::max<std::uint64_t>(all.length(), 2));
    const double share = static_cast<double>(random_() % 1'000'000) / 1e6;
    const auto size = static_cast<std::uint64_t>(std::max(2.0, std::pow(length, 0.35 + 0.65 * share)));
    const std::uint64_t first = all.first + random_() % std::max<std::uint64_t>(all.length(), 1);
    view_.show({first, first + size});
    // Other lanes; the window keeps what is too far within the list.
    view_.lane_scroll = static_cast<float>(random_() % kFarthestLane);
}

}  // namespace sla::ui
