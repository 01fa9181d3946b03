#include "agent/daemon/pipeline/lane_feed.h"

#include "agent/daemon/pipeline/channel_table.h"

#include <algorithm>
#include <utility>

namespace sla::daemon {

bool LaneFeed::is_off() {
    const wire::Filter& filter = out_.settings.filter;
    const bool has_filter = filter.compare() != wire::Filter::ANY || filter.every() > 1;
    if (has_filter && step_.unfiltered.empty()) step_.unfiltered = out_.name;  // a copy a step, not a row
    return !out_.settings.enabled;
}

bool LaneFeed::may_go(std::uint64_t first, std::uint64_t last) const {
    return !behind_ && first >= newest_ && first > out_.closed && last <= step_.limit;
}

void LaneFeed::give() {
    const std::size_t count = std::exchange(waiting_.count, 0);
    if (count == 0 || is_off()) return;
    out_.wake();
    const linux::WaitingRows::Columns& rows = *waiting_.columns;
    if (!may_go(rows.ticks[0], rows.ticks[count - 1])) {
        for (std::size_t i = 0; i < count; i++)
            put_unless_late(rows.threads[i], rows.ticks[i], rows.codes[i], rows.values[i], nullptr);
        return;
    }
    channels_.make_space(out_, count);
    const auto append = [count](auto& to, const auto& column) {
        to.insert(to.end(), column.begin(), column.begin() + count);
    };
    append(out_.open.ticks, rows.ticks);
    append(out_.open.codes, rows.codes);
    append(out_.open.values, rows.values);
    append(out_.open.threads, rows.threads);
    out_.ledger.events += count;
    newest_ = rows.ticks[count - 1];
}

void LaneFeed::put(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
    const bool is_first = waiting_.count == 0;
    const bool in_order = is_first || tick >= waiting_.newest;
    give();
    if (!in_order) return put_unless_late(thread, tick, code, value, nullptr);
    if (is_first) step_.touched.push_back(this);
    waiting_.begin(thread, tick, code, value);
}

void LaneFeed::put_one(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                       wire::RowExtra* extra) {
    if (may_go(tick, tick)) {
        channels_.make_space(out_, 1);
        out_.open.add(tick, code, value, thread);
        if (extra != nullptr) out_.open.attach(*extra);
        newest_ = tick;
        return;
    }
    if (!std::exchange(behind_, true)) step_.behind.push_back(this);
    drain::Run& run = run_of(thread);
    run.add(tick, code, value);
    if (extra == nullptr) return;
    run.set_details(extra->detail);
    run.attach_text(1, extra->text);
    if (code == SLA_CODE_GAP) run.attach(1, {0, extra->cause, extra->until_tick});
}

void LaneFeed::add_with(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                        wire::RowExtra extra) {
    give();
    put_unless_late(thread, tick, code, value, &extra);
}

// Late: the watermark has passed it; its virtual CPU was away for longer than the source waits.
void LaneFeed::put_unless_late(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                               wire::RowExtra* extra) {
    if (is_off()) return;
    out_.wake();
    if (tick <= out_.closed || tick < newest_) return add_gap(thread, 0, 0, wire::LossCause::kLate, 1);
    put_one(thread, tick, code, value, extra);
    out_.ledger.events++;
}

// A gap is never late: it moves up to the first tick that is still open.
void LaneFeed::add_gap(std::uint32_t thread, std::uint64_t tick, std::uint64_t until_tick, wire::LossCause cause,
                       std::uint64_t count) {
    give();
    out_.wake();
    out_.ledger.add(cause, count);
    const std::uint64_t at = std::max({tick, out_.closed + 1, newest_});
    wire::RowExtra extra;
    extra.cause = cause;
    extra.until_tick = std::max(until_tick, at);
    put_one(thread, at, SLA_CODE_GAP, count, &extra);
}

drain::Run& LaneFeed::run_of(std::uint32_t thread) {
    if (last_run_ < runs_.size() && runs_[last_run_]->thread() == thread) return *runs_[last_run_];
    auto found = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->thread() == thread; });
    last_run_ = static_cast<std::size_t>(found - runs_.begin());
    if (found == runs_.end()) {
        runs_.push_back(std::make_shared<drain::Run>(thread));
        out_.runs.push_back(runs_.back());
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
    if (std::erase_if(runs_, [](const auto& run) { return run->empty(); }) > 0) out_.wake();
    last_run_ = 0;
}

}  // namespace sla::daemon
