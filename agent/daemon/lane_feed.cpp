#include "agent/daemon/lane_feed.h"

#include "agent/daemon/pipeline.h"

#include <algorithm>
#include <utility>

namespace sla::daemon {

bool LaneFeed::may_go(std::uint64_t first, std::uint64_t last) const {
    return !behind_ && first >= newest_ && first > out_.channel.closed && last <= step_.limit;
}

void LaneFeed::give() {
    const std::size_t count = std::exchange(waiting_, 0);
    if (count == 0) return;
    if (!may_go(rows_->ticks[0], rows_->ticks[count - 1])) {
        for (std::size_t i = 0; i < count; i++)
            put_unless_late(rows_->threads[i], rows_->ticks[i], rows_->codes[i], rows_->values[i], nullptr);
        return;
    }
    pipeline_.make_room(out_, count);
    const auto append = [count](auto& column, const auto& rows) {
        column.insert(column.end(), rows.begin(), rows.begin() + count);
    };
    append(out_.open.ticks, rows_->ticks);
    append(out_.open.codes, rows_->codes);
    append(out_.open.values, rows_->values);
    append(out_.open.threads, rows_->threads);
    out_.channel.ledger.events += count;
    newest_ = rows_->ticks[count - 1];
}

void LaneFeed::add_unusual(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
    if (!rows_) rows_ = std::make_unique_for_overwrite<Rows>();
    const bool is_first = waiting_ == 0;
    const bool in_order = is_first || tick >= rows_->ticks[waiting_ - 1];
    give();
    if (!in_order) return put_unless_late(thread, tick, code, value, nullptr);
    if (is_first) step_.touched.push_back(this);
    rows_->ticks[0] = tick;
    rows_->values[0] = value;
    rows_->threads[0] = thread;
    rows_->codes[0] = code;
    waiting_ = 1;
}

void LaneFeed::put(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value, wire::Extra* extra) {
    if (may_go(tick, tick)) {
        pipeline_.make_room(out_, 1);
        if (extra != nullptr) {
            extra->position = static_cast<std::uint32_t>(out_.open.size());
            out_.open.extras.push_back(std::move(*extra));
        }
        out_.open.add(tick, code, value, thread);
        newest_ = tick;
        return;
    }
    if (!std::exchange(behind_, true)) step_.behind.push_back(this);
    drain::Run& run = run_of(thread);
    run.add(tick, code, value);
    if (extra != nullptr) run.attach(1, std::move(*extra));
}

void LaneFeed::add_with(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                        wire::Extra extra) {
    give();
    put_unless_late(thread, tick, code, value, &extra);
}

// Late: the watermark has passed it; its virtual CPU was away for longer than the source waits.
void LaneFeed::put_unless_late(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                               wire::Extra* extra) {
    if (tick <= out_.channel.closed || tick < newest_) return add_gap(thread, 0, 0, wire::LossCause::kLate, 1);
    put(thread, tick, code, value, extra);
    out_.channel.ledger.events++;
}

// A gap is never late: it moves up to the first tick that is still open.
void LaneFeed::add_gap(std::uint32_t thread, std::uint64_t tick, std::uint64_t until_tick, wire::LossCause cause,
                       std::uint64_t count) {
    give();
    out_.channel.ledger.book(cause, count);
    const std::uint64_t at = std::max({tick, out_.channel.closed + 1, newest_});
    wire::Extra extra;
    extra.cause = cause;
    extra.until_tick = std::max(until_tick, at);
    put(thread, at, SLA_CODE_GAP, count, &extra);
}

drain::Run& LaneFeed::run_of(std::uint32_t thread) {
    if (last_run_ < runs_.size() && runs_[last_run_]->thread() == thread) return *runs_[last_run_];
    auto found = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->thread() == thread; });
    last_run_ = static_cast<std::size_t>(found - runs_.begin());
    if (found == runs_.end()) {
        runs_.push_back(std::make_shared<drain::Run>(thread));
        out_.channel.runs.push_back(runs_.back());
    }
    return *runs_[last_run_];
}

void LaneFeed::sort_runs() {
    for (const auto& run : runs_) run->sort();
}

bool LaneFeed::look_whether_behind() {
    behind_ = std::any_of(runs_.begin(), runs_.end(), [](const auto& run) { return !run->empty(); });
    return behind_;
}

void LaneFeed::drop_idle_runs() {
    std::erase_if(runs_, [](const auto& run) { return run->empty(); });
    last_run_ = 0;
}

}  // namespace sla::daemon
