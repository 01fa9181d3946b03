#include "viewer/store/page_steps.h"

#include "viewer/store/lane.h"

#include <algorithm>

namespace sla::store {

void PageSteps::refresh(const std::vector<const Lane*>& lanes) {
    std::vector<const Lane*> paged;
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(paged),
                 [](const Lane* lane) { return lane->pages() != nullptr; });
    if (paged == lanes_) return;  // pages never change once a lane has them
    lanes_ = std::move(paged);
    begins_.clear();
    ends_.clear();
    for (const Lane* lane : lanes_) {
        for (const Page& page : lane->pages()->pages()) {
            begins_.emplace_back(page.first_tick, page.rows);
            ends_.emplace_back(page.last_tick, page.rows);
        }
    }
    add_up(begins_);
    add_up(ends_);
}

void PageSteps::add_up(std::vector<Step>& steps) {
    std::sort(steps.begin(), steps.end());
    std::uint64_t rows = 0;
    for (Step& step : steps) step.second = rows += step.second;
}

std::uint64_t PageSteps::before(const std::vector<Step>& steps, std::uint64_t tick) {
    const auto at = std::lower_bound(steps.begin(), steps.end(), Step{tick, 0});
    return at == steps.begin() ? 0 : (at - 1)->second;
}

std::uint64_t PageSteps::beyond(const std::vector<Step>& steps, std::uint64_t row) {
    const auto at = std::partition_point(steps.begin(), steps.end(), [=](const Step& step) { return step.second <= row; });
    return at == steps.end() ? kNever : at->first;
}

}  // namespace sla::store
