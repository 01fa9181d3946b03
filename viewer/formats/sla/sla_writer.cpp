#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/clock_codec.h"
#include "proto/wire/version.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/formats/output.h"
#include "viewer/formats/sla/sla.h"

#include <utility>

namespace sla::formats {

namespace {

void describe(const store::ClockHealth& from, wire::ClockHealth& to) {
    to.set_invariant(from.invariant);
    to.set_clock(from.monotonic_raw ? wire::STAMP_MONOTONIC_RAW : wire::STAMP_TSC);
    to.set_cores(from.cores);
    to.set_skew_ticks(from.skew.ticks);
    to.set_synchronized(from.skew.synchronized);
    to.set_drift_ppb(from.drift_ppb);
    to.set_backward_steps(from.backward_steps);
    to.set_offset_changes(from.offset_changes);
    to.set_rate_changes(from.rate_changes);
    to.set_problem(from.problem);
    to.set_text(from.text);
}

// Rows are held lane by lane until there are many, then go out as one batch a lane with a watermark behind them.
class SlaWriter {
public:
    SlaWriter(const store::Session& session, const std::vector<const store::Lane*>& lanes, capture::CaptureWriter& writer)
        : session_(session), lanes_(lanes), writer_(writer), batches_(lanes.size()) {
        for (std::size_t i = 0; i < lanes.size(); ++i) batches_[i].channel = lanes[i]->channel().id;
    }

    Result<void> put_head() {
        put_hello();
        for (const auto& [id, host] : session_.hosts()) put_host(host);
        for (const auto& [id, source] : session_.sources()) put_source(source);
        for (const store::Lane* lane : lanes_) put_channel(lane->channel());
        for (const auto& [id, thread] : session_.threads()) put_thread(thread);
        put_clock();
        return std::exchange(done_, {});
    }

    Result<void> put(const store::RowRef& place, std::size_t lane, const store::Event& event) {
        if (held_ >= kRowsHeld || text_bytes_ >= kTextHeld) {
            flush();
            if (place.tick > 0) put_watermark(place.tick - 1);
        }
        add(place, batches_[lane], event);
        ++held_;
        return std::exchange(done_, {});
    }

    Result<void> put_tail() {
        flush();
        for (const store::Shot& shot : session_.shots()) put_shot(shot);
        for (const store::Note& note : session_.notes()) put_note(note);
        put_watermark(session_.last_tick());
        wire::Frame frame;
        frame.mutable_end()->set_tick(session_.last_tick());
        frame.mutable_end()->set_reason("saved");
        append(frame);
        return std::exchange(done_, {});
    }

private:
    static constexpr std::size_t kRowsHeld = 32768;
    static constexpr std::size_t kTextHeld = std::size_t{256} << 10;
    static_assert(kRowsHeld <= wire::kMaxBatchEvents);

    // After the first failure nothing is written any more.
    void append(const wire::Frame& frame) {
        if (done_.ok()) done_ = writer_.append(frame.SerializeAsString());
    }

    void put_hello() {
        const store::Origin& origin = session_.origin();
        wire::Frame frame;
        wire::Hello& hello = *frame.mutable_hello();
        hello.set_version(wire::kWireVersion);
        hello.set_agent(origin.agent);
        hello.set_host(origin.host);
        hello.set_capture_id(origin.capture_id);
        hello.set_start_tick(origin.start_tick);
        hello.set_agent_pid(origin.agent_pid);
        hello.set_begin_tick(origin.begin_tick);
        hello.set_boot_id(origin.boot_id);
        append(frame);
    }

    void put_host(const store::Host& host) {
        wire::Frame frame;
        wire::Host& out = *frame.mutable_host();
        out.set_id(host.id);
        out.set_name(host.name);
        out.set_boot_id(host.boot_id);
        out.set_placed_by(host.placed_by);
        wire::fill_errors(host.errors, out);
        wire::fill_wall(host.wall, *out.mutable_wall());
        append(frame);
    }

    void put_peer_clock(const store::PeerClock& peer) {
        wire::Frame frame;
        wire::PeerClock& out = *frame.mutable_peer_clock();
        out.set_host(peer.host);
        out.set_boot_id(peer.boot_id);
        out.set_tick(peer.reading.tick);
        out.set_peer_tick(peer.reading.peer_tick);
        out.set_error_ns(static_cast<std::uint64_t>(peer.reading.error_ns));
        out.set_problem(peer.problem);
        append(frame);
    }

    void put_source(const store::Source& source) {
        wire::Frame frame;
        wire::Source& out = *frame.mutable_source();
        out.set_id(source.id.value);
        out.set_kind(static_cast<wire::SourceKind>(source.kind));  // both count alike
        out.set_name(source.name);
        out.set_pid(source.pid);
        out.set_command(source.command);
        out.set_clock_domain(source.clock_domain);
        out.set_ended(source.ended);
        out.set_section_ticks(source.section_ticks);
        out.set_host(source.host);
        append(frame);
    }

    void put_channel(const store::Channel& channel) {
        wire::Frame frame;
        wire::Channel& out = *frame.mutable_channel();
        out.set_id(channel.id.value);
        out.set_source(channel.source.value);
        out.set_name(channel.name);
        out.set_format(channel.format);
        out.set_overwrite(channel.overwrite);
        out.set_stamping(static_cast<wire::Channel::Stamping>(channel.stamping));  // both count alike
        out.set_section_ticks(channel.section_ticks);
        append(frame);
    }

    void put_thread(const store::Thread& thread) {
        wire::Frame frame;
        wire::Thread& out = *frame.mutable_thread();
        out.set_id(thread.id.value);
        out.set_source(thread.source.value);
        out.set_tid(thread.tid);
        out.set_name(thread.name);
        append(frame);
    }

    // All that times and their errors are made of.
    void put_clock() {
        for (const time::ClockSnapshot& snapshot : session_.snapshots()) {
            wire::Frame frame;
            wire::fill_clock(snapshot, *frame.mutable_clock());
            append(frame);
        }
        for (const store::PeerClock& peer : session_.peer_clocks()) put_peer_clock(peer);
        const store::Health& health = session_.health();
        if (!health.known) return;
        wire::Frame frame;
        wire::Status& out = *frame.mutable_status();
        out.set_tick(health.tick);
        out.set_ticks_per_second(health.ticks_per_second);
        out.set_clock_error_ppb(health.clock_error_ppb);
        if (health.clock.known) describe(health.clock, *out.mutable_clock_health());
        append(frame);
    }

    void add(const store::RowRef& place, wire::EventBatch& batch, const store::Event& event) {
        const auto position = static_cast<std::uint32_t>(batch.size());
        batch.add(place.tick, event.code, event.value, event.thread);
        wire::Extra extra;
        extra.position = position;
        if (event.kind() == wire::Kind::kGap) {
            const store::Gap* gap = place.lane->gap_at(place.index);
            if (gap == nullptr) return;
            extra.cause = gap->cause;
            if (gap->has_end()) extra.until_tick = gap->until_tick;
        } else {
            const auto details = place.lane->details(place.index);
            extra.detail[0] = details[0];
            extra.detail[1] = details[1];
            if (event.kind() == wire::Kind::kText) extra.text = place.lane->text(place.index);
            if (extra.text.empty() && details[0] == 0 && details[1] == 0) return;
            text_bytes_ += extra.text.size();
        }
        batch.extras.push_back(std::move(extra));
    }

    void flush() {
        for (wire::EventBatch& batch : batches_) {
            if (batch.empty()) continue;
            wire::Frame frame;
            wire::encode_batch(batch, *frame.mutable_batch());
            append(frame);
            batch.first_index += batch.size();
            batch.clear();
        }
        held_ = 0;
        text_bytes_ = 0;
    }

    void put_watermark(std::uint64_t tick) {
        wire::Frame frame;
        frame.mutable_watermark()->set_tick(tick);
        append(frame);
    }

    void put_shot(const store::Shot& shot) {
        wire::Frame frame;
        wire::Shot& out = *frame.mutable_shot();
        out.set_trigger_name(shot.trigger);
        out.set_number(shot.number);
        out.set_tick(shot.tick);
        out.set_begin_tick(shot.begin_tick);
        out.set_end_tick(shot.end_tick);
        out.set_what(shot.what);
        append(frame);
    }

    void put_note(const store::Note& note) {
        wire::Frame frame;
        frame.mutable_notice()->set_tick(note.tick);
        frame.mutable_notice()->set_text(note.text);
        frame.mutable_notice()->set_damage(note.damage);
        append(frame);
    }

    const store::Session& session_;
    const std::vector<const store::Lane*>& lanes_;
    capture::CaptureWriter& writer_;
    std::vector<wire::EventBatch> batches_;  // by lane
    std::size_t held_ = 0;                   // rows in them
    std::size_t text_bytes_ = 0;
    Result<void> done_;
};

}  // namespace

Result<ExportReport> write_sla(const store::Session& session, const analysis::Selection& selection, const std::string& path,
                               const Progress& progress) {
    if (is_kept_from_outputs(path)) return invalid_input("'" + path + "' is the capture itself; name another file");
    auto writer = capture::CaptureWriter::create_hidden(path);
    if (!writer.ok()) return writer.error();
    analysis::EventWalk walk(session, selection, progress);
    SlaWriter out(session, walk.lanes(), *writer);
    if (auto put = out.put_head(); !put.ok()) return put.error();
    ExportReport report;
    while (const auto place = walk.next()) {
        if (auto put = out.put(*place, walk.lane(), walk.event()); !put.ok()) return put.error();
        ++report.events;
    }
    if (walk.stopped()) return unavailable("stopped; nothing was written");
    if (auto put = out.put_tail(); !put.ok()) return put.error();
    if (auto finished = writer->finish(); !finished.ok()) return finished.error();
    report.left_out.emplace_back("the agent's own counts of each channel and its triggers are not in it");
    return report;
}

}  // namespace sla::formats
