#include "viewer/analysis/intervals/loss_reach.h"

namespace sla::analysis {

LossReach::LossReach(const store::Lane& lane, std::uint64_t row, std::uint64_t from) {
    if (row == 0 || lane.gaps().empty()) return;
    until_ = losses_end(lane, row, from);
    const auto [first, last] = gaps_among(lane, row - std::min(row, kMostRows), row);
    for (std::size_t i = first; i < last; ++i) {
        if (lane.gaps()[i].has_end()) continue;
        for (std::uint64_t at = lane.gaps()[i].index; at < row; ++at) {
            const store::Event event = lane[at];
            pass(at, event.tick, event.thread);
            if (event.code == SLA_CODE_GAP) add(lane, at, event.thread);
        }
        return;
    }
}

LossReach LossReach::of_ended(const store::Lane& lane, std::uint64_t row, std::uint64_t from) {
    LossReach reach;
    reach.until_ = losses_end(lane, row, from);
    return reach;
}

void LossReach::add(const store::Lane& lane, std::uint64_t row, std::uint32_t thread) {
    const store::Gap* const gap = lane.gap_at(row);  // null: the row cannot be read
    until_ = std::max(until_, gap == nullptr ? lane.tick(row) : gap->until_tick);
    if (gap != nullptr && !gap->has_end()) open_.push_back({thread, row + kMostRows});
}

void LossReach::settle(std::uint64_t row, std::uint64_t tick, std::uint32_t thread) {
    const auto is_over = [&](const Open& one) { return one.thread == thread || one.thread == 0 || one.last_row < row; };
    if (std::erase_if(open_, is_over) > 0) until_ = std::max(until_, tick);
}

std::pair<std::size_t, std::size_t> gaps_among(const store::Lane& lane, std::uint64_t first, std::uint64_t end) {
    const auto& gaps = lane.gaps();
    const auto is_before = [](const store::Gap& gap, std::uint64_t row) { return gap.index < row; };
    const auto from = std::lower_bound(gaps.begin(), gaps.end(), first, is_before);
    const auto until = std::lower_bound(from, gaps.end(), end, is_before);
    return {static_cast<std::size_t>(from - gaps.begin()), static_cast<std::size_t>(until - gaps.begin())};
}

std::uint64_t lost_among(const store::Lane& lane, std::uint64_t first, std::uint64_t end) {
    const auto [from, until] = gaps_among(lane, first, end);
    std::uint64_t lost = 0;
    for (std::size_t i = from; i < until; ++i) lost += lane.gaps()[i].is_not_kept() ? 0 : lane.gaps()[i].lost;
    return lost;
}

std::uint64_t losses_end(const store::Lane& lane, std::uint64_t row, std::uint64_t tick) {
    if (tick == store::kNever) return 0;
    const auto& gaps = lane.gaps();
    std::uint64_t latest = 0;
    for (std::size_t i = lane.first_gap_touching(tick + 1); i < gaps.size() && gaps[i].index < row; ++i) {
        if (gaps[i].has_end()) latest = std::max(latest, gaps[i].until_tick);
    }
    return latest;
}

std::optional<store::Level> level_before(const store::Lane& lane, std::uint64_t row) {
    const std::optional<store::Level> at_begin = lane.begins_late() ? std::optional(store::Level::kUnknown) : std::nullopt;
    if (!lane.has_levels()) return at_begin;
    const std::uint64_t far = row - std::min(row, LossReach::kMostRows);
    for (std::uint64_t at = row; at-- > far;) {
        const store::Event event = lane[at];
        if (event.code == SLA_CODE_GAP) return store::Level::kUnknown;
        if (event.code != SLA_CODE_LEVEL) continue;
        LossReach losses(lane, at, event.tick);
        losses.pass(at, event.tick, event.thread);
        if (losses.lasts_behind(event.tick)) return store::Level::kUnknown;
        return event.value != 0 ? store::Level::kHigh : store::Level::kLow;
    }
    return far == 0 ? at_begin : std::optional(lane.level_at(lane.tick(far)));
}

std::uint64_t end_of_loss(const store::Lane& lane, const store::Gap& gap) {
    if (gap.has_end()) return gap.until_tick;
    const std::uint32_t thread = lane.thread(gap.index);
    const std::uint64_t last = gap.index + LossReach::kMostRows + 1;
    for (std::uint64_t row = gap.index + 1; row < lane.size(); ++row) {
        if (thread == 0 || lane.thread(row) == thread || row == last) return lane.tick(row);
    }
    return store::kNever;
}

bool may_reach_over_rows(const store::Lane& lane, const store::Page& page, std::uint64_t first_event) {
    const auto& gaps = lane.gaps();
    if (gaps.empty()) return false;
    if (losses_end(lane, page.first, page.first_tick) > 0) return true;
    const auto [from, until] = gaps_among(lane, page.first, page.end());
    for (std::size_t i = from; i < until; ++i) {
        const bool is_at_end = gaps[i].index + (until - i) == page.end();
        if (is_at_end) break;
        if (gaps[i].has_end() && gaps[i].until_tick > first_event) return true;
    }
    return false;
}

bool has_endless_loss(const store::Lane& lane, const store::Page& page) {
    const auto [from, until] = gaps_among(lane, page.first, page.end());
    const auto is_endless = [](const store::Gap& gap) { return !gap.has_end(); };
    const auto first = lane.gaps().begin();
    return std::any_of(first + static_cast<std::ptrdiff_t>(from), first + static_cast<std::ptrdiff_t>(until), is_endless);
}

// One that does not say for how long may be some rows before that tick.
std::size_t first_loss(const store::Lane& lane, std::uint64_t from) {
    const std::size_t touching = lane.first_gap_touching(from);
    if (touching == 0) return 0;
    const std::uint64_t row = lane.lower_bound(from);
    return std::min(touching, gaps_among(lane, row - std::min(row, LossReach::kMostRows), row).first);
}

}  // namespace sla::analysis
