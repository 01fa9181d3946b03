#include "agent/daemon/pipeline.h"

#include "agent/daemon/announcements.h"
#include "agent/daemon/figures.h"
#include "agent/daemon/program_entry.h"
#include "agent/daemon/resident.h"
#include "agent/daemon/status.h"
#include "agent/drain/channel_merge.h"
#include "agent/stream/end_frame.h"
#include "proto/base/check.h"
#include "proto/base/random_id.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::size_t kBatchEvents = 8192;
constexpr double kFlushSeconds = 0.005;     // how old an event may get in an open batch
constexpr double kHeartbeatSeconds = 0.04;  // how often an idle agent tells its watermark
constexpr double kStatusSeconds = 0.25;
constexpr int kLastRounds = 10'000;  // enough pieces for the largest ring there can be

std::uint64_t now_tick() {
    return time::read_stamp() & SLA_TICK_MASK;
}

// Events in the batch, plus those that its gap rows stand for.
std::uint64_t offered_in(const wire::EventBatch& batch) {
    std::uint64_t offered = batch.size();
    if (std::memchr(batch.codes.data(), SLA_CODE_GAP, batch.size()) == nullptr) return offered;
    for (std::size_t i = 0; i < batch.size(); i++) offered += batch.codes[i] == SLA_CODE_GAP ? batch.values[i] - 1 : 0;
    return offered;
}

}  // namespace

Pipeline::Pipeline(retain::Retention& retention)
    : retention_(retention),
      switchboard_(retention, clock_),
      triggers_(trigger_hooks()),
      ring_pages_([] { return resident().ring_bytes; }) {
    std::uint64_t now = now_tick();
    last_flush_ = last_status_ = now;
    announce(hello_frame(random_id(), now));
    announce(clock_frame(*clock_.due(now)));
    ticks_per_second_.store(clock_.ticks_per_second(), std::memory_order_relaxed);  // pairs with nothing: a rate
}

Pipeline::~Pipeline() = default;

void Pipeline::add_program(std::shared_ptr<source::Program> program) {
    std::lock_guard lock(inbox_mutex_);
    arrivals_.push_back(std::move(program));
}

void Pipeline::mark(const wire::Mark& mark) {
    std::lock_guard lock(inbox_mutex_);
    marks_.push_back(mark);
}

void Pipeline::notice(const std::string& text, SourceId source) {
    const std::uint64_t now = now_tick();
    std::lock_guard lock(inbox_mutex_);
    // pairs with nothing: a rate
    if (!notices_.admit(source, now, ticks_per_second_.load(std::memory_order_relaxed))) return;
    spdlog::warn("{}", text);
    announce(notice_frame(now, text, source));
}

void Pipeline::report_left_out_notices(std::uint64_t now, bool at_end) {
    std::lock_guard lock(inbox_mutex_);
    for (const NoticeLimit::LeftOut& due : notices_.due(now, clock_.ticks_per_second(), at_end)) {
        const std::string text = std::to_string(due.notices) + (due.notices == 1 ? " more notice" : " more notices") +
                                 (due.is_all              ? ""
                                  : due.source.value == 0 ? " of the agent"
                                                          : " of this source") +
                                 (due.notices == 1 ? " was" : " were") + " left out";
        spdlog::warn("{} (source {})", text, due.source.value);
        announce(notice_frame(now, text, due.source));
    }
}

Lane& Pipeline::lane(SourceId source, const std::string& name, const std::string& format, bool overwrite) {
    source::Known<ChannelId> known = directory_.channel(source, name);
    if (lanes_.size() <= known.id.value) lanes_.resize(known.id.value + 1);
    std::unique_ptr<Lane>& lane = lanes_[known.id.value];
    if (known.is_new) {
        lane = std::make_unique<Lane>();
        lane->channel.id = known.id;
        lane->source = source;
        lane->name = name;
        lane->open.channel = known.id;
        retention_.announce_channel(known.id, name, channel_frame(known.id, source, name, format, overwrite));
        triggers_.add_channel(known.id, name);
        lane->settings = switchboard_.meet(known.id, name);
    }
    return *lane;
}

ThreadId Pipeline::thread(SourceId source, std::uint32_t tid, const std::string& name) {
    source::Known<ThreadId> known = directory_.thread(source, tid, name);
    if (known.is_new) announce(thread_frame(known.id, source, tid, name));
    return known.id;
}

void Pipeline::control(stream::ControlRequest request) {
    std::lock_guard lock(inbox_mutex_);
    controls_.push_back(std::move(request));
}

void Pipeline::take_controls() {
    std::vector<stream::ControlRequest> controls;
    {
        std::lock_guard lock(inbox_mutex_);
        controls.swap(controls_);
    }
    for (const stream::ControlRequest& control : controls) control.answer(obey(control));
}

// What went wrong, for the one who asked; empty when it is done.
std::string Pipeline::obey(const stream::ControlRequest& control) {
    bool limits = control.request.has_set_channels() || control.request.has_set_retention();
    if (limits && !control.local) return "switches and limits are set over the Unix socket only";
    switch (control.request.body_case()) {
        case wire::Request::kSetTrigger: return set_trigger(control.request.set_trigger(), control.local);
        case wire::Request::kControlTrigger: return triggers_.control(control.request.control_trigger(), watermark_);
        case wire::Request::kSetChannels: return switchboard_.obey(control.request.set_channels());
        case wire::Request::kSetRetention: return switchboard_.obey(control.request.set_retention());
        default: return "this agent cannot do that";
    }
}

// Once more what is wanted of each lane, after a change.
void Pipeline::meet_lanes() {
    std::uint64_t version = switchboard_.version();
    if (version == met_version_) return;
    met_version_ = version;
    for (const auto& lane : lanes_) {
        if (lane) lane->settings = switchboard_.meet(lane->channel.id, lane->name);
    }
}

// A program that comes again with the segment it had (its connection broke): the old drain lets go first, so that a ring
// never has two readers.
void Pipeline::admit(std::shared_ptr<source::Program> program, std::uint64_t now) {
    auto same = std::find_if(programs_.begin(), programs_.end(),
                             [&](const auto& entry) { return entry->drain().program().segment_id == program->segment_id; });
    if (same != programs_.end()) {
        (*same)->drain().step(clock_.step_at(now));
        programs_.erase(same);
    }
    programs_.push_back(std::make_unique<ProgramEntry>(std::move(program), *this));
    const SourceFacts& facts = programs_.back()->facts();
    spdlog::info("{} (pid {}) attached", facts.name, facts.pid);
}

void Pipeline::take_arrivals(std::uint64_t now) {
    std::vector<std::shared_ptr<source::Program>> arrivals;
    {
        std::lock_guard lock(inbox_mutex_);
        arrivals.swap(arrivals_);
    }
    for (auto& program : arrivals) admit(std::move(program), now);
}

// Marks of `sla mark` are stamped here, where no watermark can have passed them.
void Pipeline::take_marks() {
    std::vector<wire::Mark> marks;
    {
        std::lock_guard lock(inbox_mutex_);
        marks.swap(marks_);
    }
    for (const wire::Mark& mark : marks) {
        source::Known<SourceId> self = directory_.source(0, 0);
        if (self.is_new) announce(source_frame({self.id, wire::SOURCE_AGENT, "sla mark", 0, "", false}));
        Lane& to = lane(self.id, mark.channel(), "", false);
        if (!to.settings.enabled) continue;
        std::size_t id = to.channel.id.value;
        if (mark_runs_.size() <= id) mark_runs_.resize(id + 1);
        if (!mark_runs_[id]) {
            mark_runs_[id] = std::make_shared<drain::Run>(thread(self.id, 0, "sla mark").value);
            to.channel.runs.push_back(mark_runs_[id]);
        }
        drain::Run& run = *mark_runs_[id];
        std::uint64_t now = now_tick();
        switch (mark.what_case()) {
            case wire::Mark::kValue: run.add(now, SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(mark.value())); break;
            case wire::Mark::kNumber: run.add(now, SLA_CODE_VALUE_FLOAT, wire::as_bits(mark.number())); break;
            case wire::Mark::kText: {
                run.add(now, SLA_CODE_TEXT, 0);
                wire::Extra extra;
                extra.text = mark.text().substr(0, SLA_TEXT_BYTES);
                run.attach(1, std::move(extra));
                break;
            }
            case wire::Mark::WHAT_NOT_SET: run.add(now, SLA_CODE_TICK, 0); break;
        }
        to.channel.ledger.events++;
    }
}

void Pipeline::show_to_triggers(Lane& lane) {
    if (triggers_.wants(lane.channel.id)) triggers_.take(lane.open, lane.watched);
    lane.watched = lane.open.size();
}

void Pipeline::close_batch(Lane& lane) {
    if (lane.open.empty()) return;
    show_to_triggers(lane);
    retain::BatchFacts facts;
    facts.channel = lane.channel.id;
    facts.first_index = lane.open.first_index = lane.next_index;
    facts.first_tick = lane.open.ticks.front();
    facts.last_tick = lane.open.ticks.back();
    facts.rows = static_cast<std::uint32_t>(lane.open.size());
    facts.offered = offered_in(lane.open);
    wire::encode_batch(lane.open, *frame_.mutable_batch());
    retention_.append(facts, wire::encode_frame(frame_));
    lane.next_index += facts.rows;
    lane.open.clear();
    lane.watched = 0;
    appended_ = true;
}

void Pipeline::make_room(Lane& lane, std::size_t count) {
    SLA_CHECK(count <= kBatchEvents);
    if (lane.open.size() + count > kBatchEvents) close_batch(lane);
}

void Pipeline::merge_lane(Lane& lane, std::uint64_t watermark) {
    while (!drain::merge_up_to(watermark, kBatchEvents - lane.open.size(), lane.channel, lane.open)) close_batch(lane);
    show_to_triggers(lane);
    if (lane.open.size() == kBatchEvents) close_batch(lane);
}

// Closes open batches and tells readers how far they can be sure of having everything.
void Pipeline::flush(std::uint64_t now, bool everything) {
    auto seconds = static_cast<double>(now - last_flush_) / clock_.ticks_per_second();
    if (!everything && seconds < kFlushSeconds) return;
    for (const auto& lane : lanes_) {
        if (lane) close_batch(*lane);
    }
    if (!everything && !appended_ && seconds < kHeartbeatSeconds) return;
    retention_.set_watermark(watermark_);
    retention_.publish();
    appended_ = false;
    last_flush_ = now;
}

void Pipeline::tell_health(std::uint64_t now) {
    if (auto snapshot = clock_.due(now)) {
        announce(clock_frame(*snapshot));
        triggers_.retime(clock_.ticks_per_second());
    }
    if (static_cast<double>(now - last_status_) < kStatusSeconds * clock_.ticks_per_second()) return;
    last_status_ = now;
    if (auto news = clock_.news(now)) notice(*news);
    report_left_out_notices(now, false);
    ticks_per_second_.store(clock_.ticks_per_second(), std::memory_order_relaxed);  // pairs with nothing: a rate
    retention_.expire(now);
    release_ring_pages(now);
    std::string short_of = caps_.look(lanes_, retention_, switchboard_, now);
    if (!short_of.empty()) notice(short_of);
    StatusInput input{now,      lanes_, programs_, retention_, clock_, switchboard_, count_readers_ ? count_readers_() : 0,
                      triggers_};
    retention_.set_status(status_frame(input));
    if (report_metrics_) report_metrics_(metrics_of(input));
}

void Pipeline::release_ring_pages(std::uint64_t now) {
    if (!ring_pages_.is_time(static_cast<double>(now) / clock_.ticks_per_second())) return;
    for (const auto& entry : programs_) entry->drain().program().view.release_pages();
}

Pipeline::Step Pipeline::step() {
    std::uint64_t now = now_tick();
    clock_.on_reading(now);
    take_arrivals(now);
    take_marks();
    take_controls();
    meet_lanes();
    Step step;
    const drain::StepClock clock = clock_.step_at(now);
    std::uint64_t bound = clock.before(drain::kStoreBufferTicks);
    std::erase_if(programs_, [&](const std::unique_ptr<ProgramEntry>& entry) {
        entry->obey(switchboard_, met_version_);
        drain::ProgramDrain::Step drained = entry->drain().step(clock);
        step.taken += drained.taken;
        step.more |= drained.more;
        step.fullness = std::max(step.fullness, drained.fullness);
        bound = std::min(bound, drained.bound);
        if (!drained.finished) return false;
        spdlog::info("{} (pid {}) ended", entry->facts().name, entry->facts().pid);
        entry->announce_end();
        return true;
    });
    if (source_) {
        const drain::EventSource::Step stepped = source_->step(now, std::max(watermark_, bound));
        step.taken_from_source = stepped.taken;
        step.more |= stepped.more;
        step.fullness = std::max(step.fullness, stepped.fullness);
        bound = std::min(bound, stepped.bound);
    }
    watermark_ = std::max(watermark_, bound);
    for (const auto& lane : lanes_) {
        if (lane) merge_lane(*lane, watermark_);
    }
    triggers_.advance(watermark_);
    flush(now, false);
    tell_health(now);
    return step;
}

void Pipeline::finish(const std::string& reason) {
    if (source_) source_->stop();
    for (int round = 0; round < kLastRounds; round++) {  // a program that goes on marking does not keep the agent
        bool more = step().more;
        if (round > 0 && !more) break;
    }
    for (const auto& entry : programs_) entry->drain().book_filtered();
    for (const auto& lane : lanes_) {
        if (lane) merge_lane(*lane, SLA_TICK_MASK);
    }
    std::uint64_t now = now_tick();
    watermark_ = std::max(watermark_, now);
    triggers_.advance(watermark_);
    triggers_.finish();
    announce(clock_frame(clock_.take()));
    report_left_out_notices(now, true);
    flush(now, true);
    last_status_ = 0;
    tell_health(now);
    retention_.finish(stream::end_frame(now, reason));
}

std::uint64_t Pipeline::ticks_of(std::int64_t ns) const {
    double ticks = static_cast<double>(ns) * 1e-9 * ticks_per_second_.load(std::memory_order_relaxed);  // any rate will do
    return ticks < 1e18 ? static_cast<std::uint64_t>(ticks) : SLA_TICK_MASK;
}

std::uint64_t Pipeline::lost() const {
    std::uint64_t lost = 0;
    for (const auto& lane : lanes_) lost += lane ? lane->channel.ledger.lost() : 0;
    return lost;
}

std::uint64_t Pipeline::recorded() const {
    std::uint64_t events = 0;
    for (const auto& lane : lanes_) events += lane ? lane->channel.ledger.events : 0;
    return events;
}

}  // namespace sla::daemon
