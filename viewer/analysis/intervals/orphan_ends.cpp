#include "viewer/analysis/intervals/orphan_ends.h"

#include "proto/base/how_many.h"
#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>

namespace sla::analysis {

void OrphanEnds::lose(std::uint32_t thread, std::uint64_t tick, const store::Gap& gap) {
    if (gap.lost == 0 && !gap.is_uncounted()) return;
    if (thread == 0) {
        if (!all_since_) all_since_ = tick;
        return;
    }
    Thread& one = threads_.try_emplace(thread, Thread{all_since_.value_or(tick), 0, 0, 0}).first->second;
    add_up(one.maybe_open, gap.is_uncounted() ? store::kNever : gap.lost);
    one.lost_until = std::max(one.lost_until, gap.until_tick);
}

bool OrphanEnds::is_any_open() const {
    const auto may_be = [](const auto& of) { return of.second.maybe_open > 0; };
    return all_since_ || std::any_of(threads_.begin(), threads_.end(), may_be);
}

OrphanEnds::Thread* OrphanEnds::find(std::uint32_t thread) {
    if (all_since_) return &threads_.try_emplace(thread, Thread{*all_since_, 0, 0, 0}).first->second;
    const auto found = threads_.find(thread);
    return found == threads_.end() ? nullptr : &found->second;
}

// What is open in its thread is cut there.
void OrphanEnds::pass_gap(const store::Lane& lane, std::uint64_t row, std::uint32_t thread, std::uint64_t tick) {
    for (auto& [of, one] : threads_) {
        if (thread == 0 || of == thread) one.open = 0;
    }
    const store::Gap* const gap = lane.gap_at(row);
    // The row cannot be read: nobody knows what was in its place.
    lose(thread, tick, gap == nullptr ? store::Gap{.until_tick = tick, .cause = wire::LossCause::kDamaged} : *gap);
}

void OrphanEnds::add_orphan(Thread& thread, std::uint64_t tick, Hidden& hidden) {
    add_up(hidden.most, 1);
    hidden.longest = std::max(hidden.longest, tick - thread.lost_since);
    if (tick >= thread.lost_until && thread.maybe_open > 0 && thread.maybe_open != store::kNever) --thread.maybe_open;
}

void OrphanEnds::go_on(const store::Lane& lane, std::uint64_t first, std::uint64_t end, Hidden& hidden) {
    if (threads_.empty() && !all_since_) {
        const auto [from, until] = gaps_among(lane, first, end);
        first = from == until ? end : lane.gaps()[from].index;
    }
    while (first < end) {
        const store::Columns rows = lane.columns_from(first);
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows.rows, end - first));
        for (std::size_t i = 0; i < count; ++i) {
            if (rows.codes[i] == SLA_CODE_GAP) {
                pass_gap(lane, first + i, rows.threads[i], rows.ticks[i]);
                continue;
            }
            const wire::Kind kind = wire::kind_of(rows.codes[i]);
            if (kind != wire::Kind::kBegin && kind != wire::Kind::kEnd) continue;
            Thread* const thread = find(rows.threads[i]);
            if (thread == nullptr) continue;
            if (kind == wire::Kind::kBegin) {
                ++thread->open;
            } else if (thread->open > 0) {
                --thread->open;
            } else {
                add_orphan(*thread, rows.ticks[i], hidden);
            }
        }
        first += count;
    }
}

}  // namespace sla::analysis
