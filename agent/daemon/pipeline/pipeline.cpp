#include "agent/daemon/pipeline/pipeline.h"

#include "agent/daemon/pipeline/announcements.h"
#include "agent/stream/end_frame.h"
#include "proto/base/heap_pages.h"
#include "proto/base/random_id.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/capture.pb.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace sla::daemon {
namespace {

constexpr int kLastRounds = 10'000;  // enough pieces for the largest ring there can be

std::uint64_t now_tick() {
    return time::read_stamp() & SLA_TICK_MASK;
}

// The hello is the first that readers get.
retain::Retention& greet(retain::Retention& retention, const std::string& host) {
    retention.announce(hello_frame(random_id(), now_tick(), host));
    return retention;
}

}  // namespace

Pipeline::Pipeline(retain::Retention& retention, const std::string& host)
    : retention_(greet(retention, host)),
      notices_(retention),
      channel_policy_(retention, clock_),
      triggers_(trigger_hooks()),
      channels_(retention, channel_policy_, triggers_, notices_),
      hand_marks_(channels_),
      turned_away_(channels_, notices_),
      flush_pace_(now_tick()),
      health_({retention, clock_, channel_policy_, channels_, triggers_, notices_}, flush_pace_.last()) {}

Pipeline::~Pipeline() = default;

// A program that comes again with the segment it had (its connection broke): the old drain lets go first, so that a ring
// never has two readers.
void Pipeline::admit(std::shared_ptr<source::Program> program, std::uint64_t now) {
    auto same = std::find_if(programs_.begin(), programs_.end(),
                             [&](const auto& entry) { return entry->drain().program().segment_id == program->segment_id; });
    if (same != programs_.end()) {
        (*same)->drain().step(clock_.step_at(now));
        (*same)->drain().close();
        programs_.erase(same);
    }
    programs_.push_back(std::make_unique<ProgramEntry>(std::move(program), channels_, notices_));
    const SourceFacts& facts = programs_.back()->facts();
    spdlog::info("{} (pid {}) attached", facts.name, facts.pid);
}

void Pipeline::take_inbox(std::uint64_t now, Step& step) {
    for (auto& program : inbox_.take_programs()) arriving_.push_back(std::move(program));
    for (std::size_t left = kMaxAdmitted; left > 0 && !arriving_.empty(); left--) {
        admit(std::move(arriving_.front()), now);
        arriving_.pop_front();
    }
    step.more |= !arriving_.empty();
    hand_marks_.take(inbox_.take_marks());
    turned_away_.take(inbox_.take_turned_away(), now, is_finishing_);
    for (const stream::ControlRequest& control : inbox_.take_requests()) control.answer(apply(control));
}

// What came goes on its way, and to readers when it is time: then batches are closed by the pass that merges.
void Pipeline::merge_and_flush(std::uint64_t now, const Step& step) {
    channels_.note_taken(step.taken);
    const FlushPace::Batches batches{channels_.open_batches(), channels_.has_many_small_batches(),
                                     channels_.open_fullness()};
    const bool is_crowded = channels_.ending() >= kMaxAdmitted;
    const bool closes = is_crowded || flush_pace_.is_due(now, clock_.ticks_per_second(), batches);
    waiting_ = channels_.merge(watermark_, closes);
    triggers_.advance(watermark_);
    if (closes) flush(now, batches, is_crowded);
}

// Closes open batches and reports to readers how far they can be sure of having everything.
void Pipeline::flush(std::uint64_t now, const FlushPace::Batches& batches, bool is_for_all) {
    const double rate = clock_.ticks_per_second();
    const bool appended = channels_.close_batches();
    flush_pace_.note_closed(now, rate, batches);
    channels_.settle_ended(now);
    if (!is_for_all && !appended && !flush_pace_.is_heartbeat_due(now, rate)) return;
    retention_.set_watermark(watermark_);
    retention_.publish();
    flush_pace_.note_published(now);
}

// Gives what this program has no events at or below still to come.
std::uint64_t Pipeline::drain_program(ProgramEntry& entry, const drain::StepClock& clock, Step& step) {
    entry.apply(channel_policy_, applied_version_);
    const drain::ProgramDrain::Step drained = entry.drain().step(clock, share_);
    share_.take(drained.taken);
    step.taken += drained.taken;
    step.rings += drained.rings;
    step.busy_rings += drained.busy_rings;
    step.left_rings += drained.left_rings;
    step.more |= drained.more;
    step.is_left |= drained.is_left;
    step.fullness = std::max(step.fullness, drained.fullness);
    if (entry.has_own_time()) triggers_.know(entry.facts().id, entry.drain().own_known());
    if (drained.finished) {
        if (entry.has_own_time()) triggers_.end_time(entry.facts().id);
        spdlog::info("{} (pid {}) ended", entry.facts().name, entry.facts().pid);
        entry.end();
    }
    health_.watch_ring_pages(clock.now(), programs_, drained.looked_at);
    return drained.bound;
}

// The same of all programs.
std::uint64_t Pipeline::drain_programs(const drain::StepClock& clock, Step& step) {
    std::uint64_t bound = clock.before(drain::kStoreBufferTicks);
    for (const auto& entry : programs_) bound = std::min(bound, drain_program(*entry, clock, step));
    std::erase_if(programs_, [](const std::unique_ptr<ProgramEntry>& entry) { return entry->has_ended(); });
    return bound;
}

std::uint64_t Pipeline::step_source(std::uint64_t now, std::uint64_t bound, Step& step) {
    const drain::EventSource::Step stepped = source_->step(now, std::max(watermark_, bound));
    step.taken_from_source = stepped.taken;
    step.more |= stepped.more;
    step.fullness = std::max(step.fullness, stepped.fullness);
    return std::min(bound, stepped.bound);
}

// Triggers see rows once the watermark has passed them, and the machine's own events go straight into batches as long as
// nobody holds it: both wait for nothing.
bool Pipeline::may_leave_little(std::uint64_t now) const {
    return !is_finishing_ && !source_ && triggers_.size() == 0 && flush_pace_.leaves_little(now);
}

Pipeline::Step Pipeline::step() {
    std::uint64_t now = now_tick();
    clock_.on_reading(now);
    channels_.forget_retired();
    Step step;
    take_inbox(now, step);
    if (std::uint64_t version = channel_policy_.version(); version != applied_version_) {
        applied_version_ = version;
        channels_.apply_settings();
    }
    flush_pace_.note_readers(now, health_.are_any_readers());
    share_.leave_little(may_leave_little(now));
    std::uint64_t bound = drain_programs(clock_.step_at(now), step);
    if (source_) bound = step_source(now, bound, step);
    step.bound = bound;
    watermark_ = std::max(watermark_, bound);
    merge_and_flush(now, step);
    share_.fit_memory(retention_.limits().total_bytes);
    share_.end_step(waiting_, watermark_);
    flush_pace_.note_waiting(waiting_, step.left_rings > 0);
    spread_huge_pages();
    health_.report(now, programs_);
    return step;
}

void Pipeline::finish(const std::string& reason) {
    if (source_) source_->stop();
    const std::uint64_t asked = now_tick();
    // A program that goes on marking does not keep the agent: what comes from here on is for the next one.
    share_.end_at(asked);
    is_finishing_ = true;
    for (int round = 0; round < kLastRounds; round++) {
        const Step last = step();
        const bool is_all = !last.more || (last.bound >= asked && arriving_.empty());
        if (round > 0 && is_all && !last.is_left) break;
    }
    for (const auto& entry : programs_) entry->drain().account_filtered();
    channels_.merge(SLA_TICK_MASK, true);
    std::uint64_t now = now_tick();
    watermark_ = std::max(watermark_, now);
    triggers_.advance(watermark_);
    triggers_.finish();
    flush(now, {}, true);
    health_.finish(now, programs_);
    retention_.finish(stream::end_frame(now, reason));
}

std::uint64_t Pipeline::ticks_of(std::int64_t ns) const {
    double ticks = static_cast<double>(ns) * 1e-9 * notices_.ticks_per_second();  // any rate will do
    return ticks < 1e18 ? static_cast<std::uint64_t>(ticks) : SLA_TICK_MASK;
}

}  // namespace sla::daemon
