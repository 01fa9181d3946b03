// The level of a lane at an instant, over its pages and the run that grows.
#include "viewer/store/lane.h"

namespace sla::store {

LevelState Lane::level_state(std::uint64_t tick) const {
    if (!has_levels() || empty() || tick < first_tick()) return {};
    if (!tail_.empty() && tick >= tail_.tick(tail_.first_index())) {
        LevelState state = tail_.level_at(tick);
        std::uint64_t between = tail_.tick(tail_.first_index()) - paged_until_;
        if (pages_ == nullptr || pages_->level_at_end().level != Level::kHigh) between = 0;
        state.high += high_before_tail_ + between;
        return state;
    }
    const std::size_t at = pages_->page_at(tick);
    const bool inside = at < pages_->pages().size() && pages_->pages()[at].first_tick <= tick;
    if (inside && pages_->pages()[at].last_tick > tick) {
        LevelState state = page_run(at).level_at(tick);
        state.high += pages_->pages()[at].high_before;
        return state;
    }
    // Between two pages, or at the last tick of one: of pages that share that tick the last one decides.
    std::size_t before = inside ? at : at - 1;
    while (before + 1 < pages_->pages().size() && pages_->pages()[before + 1].first_tick <= tick) ++before;
    const Page& page = pages_->pages()[before];
    if (page.last_tick > tick) {
        LevelState state = page_run(before).level_at(tick);
        state.high += page.high_before;
        return state;
    }
    const std::uint64_t since = page.level_after == Level::kHigh ? tick - page.last_tick : 0;
    return {page.level_after, page.high_before + page.high_ticks + since};
}

LevelState Lane::level_behind(std::uint64_t behind, std::uint64_t tick) const {
    if (behind == 0) return {};
    const Run& run = run_of(behind - 1);
    LevelState state = run.level_behind(behind, tick);
    if (&run != &tail_) {
        state.high += pages_->pages()[pages_->page_of(behind - 1)].high_before;
    } else if (pages_ != nullptr) {
        const std::uint64_t between = tail_.tick(tail_.first_index()) - paged_until_;
        state.high += high_before_tail_ + (pages_->level_at_end().level == Level::kHigh ? between : 0);
    }
    return state;
}

LevelInterval Lane::level_over(std::uint64_t from, std::uint64_t until) const {
    const LevelState start = level_state(from);
    return {start.level, until <= from ? 0 : level_state(until).high - start.high};
}

}  // namespace sla::store
