// Perfetto's protobuf traces: their track events. Each track with slices or instants is a lane, the names of slices its
// texts; counters are lanes of their own. What `sla export` wrote comes back with its channels, threads, kinds, values,
// texts, losses and what is known of its sources, in whole nanoseconds. Packets that were dropped are losses of the lane `lost`,
// at the next event of their sequence; of those before a sequence's first packet here, as in a flight recorder's trace, only
// what needs them is left out. Kernel events (ftrace) and whatever else a trace may hold are counted and left out.
#include "proto/base/how_many.h"
#include "proto/time/tick_rate.h"
#include "viewer/formats/lines.h"
#include "viewer/formats/number_text.h"
#include "viewer/formats/perfetto/perfetto.h"
#include "viewer/formats/perfetto/perfetto_clocks.h"
#include "viewer/formats/perfetto/perfetto_events.h"
#include "viewer/formats/perfetto/perfetto_packets.h"
#include "viewer/formats/perfetto/perfetto_sequence.h"
#include "viewer/formats/perfetto/perfetto_tracks.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

namespace sla::formats {

namespace {

using Packet = sla::perfetto::TracePacket;
using Event = sla::perfetto::TrackEvent;
using Sequence = PerfettoSequence;

class PerfettoImport {
public:
    explicit PerfettoImport(CaptureSink& sink) : sink_(sink), tracks_(sink) {}

    Result<void> take(const Packet& packet) {
        const auto [at, is_first] = sequences_.try_emplace(packet.trusted_packet_sequence_id());
        Sequence& sequence = at->second;
        if (packet.previous_packet_dropped() && !packet.first_packet_on_sequence()) {
            if (!is_first) sequence.lose();
            sequence.lacks_state = true;
        }
        if (packet.has_clock_snapshot()) take_clock(packet.clock_snapshot(), sequence);
        if (packet.has_chrome_events() && !any_) take_facts(packet.chrome_events());
        if (packet.has_track_descriptor()) tracks_.describe(packet.track_descriptor());
        sequence.learn(packet);
        const std::optional<std::uint64_t> time = time_of(packet, sequence);
        if (!packet.has_track_event()) {
            const bool is_known = packet.has_clock_snapshot() || packet.has_track_descriptor() ||
                                  packet.has_interned_data() || (ours_ && packet.has_chrome_events());
            others_ += is_known ? 0 : 1;
            return {};
        }
        if (!sequence.can_read(packet)) {
            ++stateless_;
            return {};
        }
        if (!time || *time == 0) {
            ++timeless_;
            return {};
        }
        if (!any_ && *time >> kTickBits != 0) count_from(*time);
        if (*time < zero_ || (*time - zero_) >> kTickBits != 0) {
            ++timeless_;
            return {};
        }
        return take_event(packet.track_event(), *time - zero_, sequence);
    }
    // Of sequences that had no event since.
    Result<void> put_last_losses() {
        for (auto& [id, sequence] : sequences_) {
            if (!any_) break;
            if (auto put = put_losses(sequence, newest_); !put.ok()) return put;
        }
        return {};
    }
    void report(Notes& notes) const {
        if (!note_.empty()) notes.push_back(note_);
        if (others_ > 0)
            notes.push_back(std::to_string(others_) +
                            " packets hold no track events (kernel events, processes) and are left out");
        if (stateless_ > 0)
            notes.push_back(how_many(stateless_, "event") +
                            " cannot be read without the dropped packets before them and are left out");
        if (timeless_ > 0)
            notes.push_back(std::to_string(timeless_) + " events have no time that can be told and are left out");
    }
    // There were events, or there are none in a trace of ours: such a capture has none.
    bool finish() {
        if (!any_ && ours_ && timeless_ == 0) begin(clock_.origin_tick);
        return any_;
    }
    [[nodiscard]] bool has_timeless() const { return timeless_ > 0; }

private:
    static constexpr unsigned kTickBits = 58;
    // A clock may count from packet to packet: then by each that has a time, whatever else is in it, but for those that read the
    // clocks anew.
    std::optional<std::uint64_t> time_of(const Packet& packet, Sequence& sequence) {
        const bool counts = packet.timestamp() != 0 && !packet.has_clock_snapshot();
        if (!packet.has_track_event() && !counts) return std::nullopt;
        const std::uint32_t clock = packet.timestamp_clock_id() == 0 ? sequence.clock : packet.timestamp_clock_id();
        if (clock < kPerfettoFirstOwn) return trace_clock_.time_of(clock, packet.timestamp());
        return sequence.clocks.time_of(clock, packet.timestamp());
    }
    void take_clock(const sla::perfetto::ClockSnapshot& snapshot, Sequence& sequence) {
        trace_clock_.take(snapshot);
        const std::optional<std::uint64_t> taken = trace_clock_.time_of(snapshot);
        if (!taken) return;
        sequence.clocks.take(snapshot, *taken);
        if (any_ || clock_.realtime_ns != 0) return;
        clock_.origin_tick = *taken;
        for (const auto& clock : snapshot.clocks()) {
            const bool is_wall = clock.clock_id() == kPerfettoRealtime && clock.timestamp() >> 62 == 0;
            if (is_wall) clock_.realtime_ns = static_cast<std::int64_t>(clock.timestamp());
        }
        has_clock_ = true;
    }
    // Ticks of the capture are nanoseconds here.
    void take_facts(const sla::perfetto::ChromeEventBundle& bundle) {
        std::map<std::string, std::string> said;
        for (const auto& one : bundle.metadata()) said[one.name()] = one.string_value();
        if (said[kPerfettoCapture] != kPerfettoCaptureForm) return;
        ours_ = true;
        const double hertz = read_number<double>(said[kPerfettoTicksPerSecond]).value_or(0);
        if (!time::is_tick_rate(hertz)) return;
        const double ns_per_tick = 1e9 / hertz;
        const double error = read_number<double>(said[kPerfettoClockError]).value_or(0);
        if (error >= 0 && std::isfinite(error)) facts_.error_ppb = error;
        read_stamp_errors(said[kPerfettoStampErrors], facts_);
        facts_.stamp_ticks = scaled_ticks(facts_.stamp_ticks, ns_per_tick);
        if (facts_.skew) facts_.skew->ticks = scaled_ticks(static_cast<std::uint32_t>(facts_.skew->ticks), ns_per_tick);
        read_source_facts(said[kPerfettoSources], sink_, ns_per_tick);
    }
    // Nanoseconds since 1970 are beyond what a tick can be. Others of the trace may come before the first. Ours say when the capture
    // began.
    void count_from(std::uint64_t first_ns) {
        zero_ = first_ns - (std::uint64_t{1} << (kTickBits - 1));
        if (ours_ && clock_.origin_tick >= zero_) {
            clock_.origin_tick -= zero_;
            return;
        }
        const auto first_ps = static_cast<__int128>(first_ns) * 1000;
        clock_ = {first_ns - zero_, 1e9, 0, realtime_of_first(first_ps)};
        has_clock_ = true;
        note_ = first_time_note(first_ps);
    }
    // The capture begins with the snapshot before its first event, else with that event; ours may have events before it begins.
    void begin(std::uint64_t timestamp) {
        if (!has_clock_ || (!ours_ && clock_.origin_tick > timestamp)) clock_ = {timestamp, 1e9, 0, 0};
        clock_.error_ppb = facts_.error_ppb;
        clock_.stamp_ticks = facts_.stamp_ticks;
        clock_.skew = facts_.skew;
        sink_.set_clock(clock_);
        any_ = true;
    }

    Result<void> take_event(const Event& event, std::uint64_t time, Sequence& sequence) {
        if (!any_) begin(time);
        newest_ = std::max(newest_, time);
        if (auto put = put_losses(sequence, time); !put.ok()) return put;
        const std::uint64_t uuid = event.track_uuid() == 0 ? sequence.track : event.track_uuid();
        const std::string name = sequence.name_of(event);
        const bool is_named_by_channel = event.categories_size() == 2 && event.categories(1) == kPerfettoOwn;
        const auto track = tracks_.find(uuid, is_named_by_channel ? name : "");
        if (!track.ok()) return track.error();
        SinkEvent out{time, SLA_CODE_TICK, 0, track->thread};
        wire::RowExtra extra;
        if (name != track->name) extra.text = name;
        if (!read_track_event(event, out, extra)) {
            ++others_;
            return {};
        }
        const auto* const counter = wire::kind_of(out.code) == wire::Kind::kValue ? tracks_.counter(uuid) : nullptr;
        if (counter != nullptr) sequence.counters.resolve(uuid, *counter, out);
        const bool plain = extra.text.empty() && out.code != SLA_CODE_GAP;
        return plain ? sink_.put(track->channel, out) : sink_.put(track->channel, out, std::move(extra));
    }
    // Nobody says how many packets were dropped.
    Result<void> put_losses(Sequence& sequence, std::uint64_t time) {
        for (; sequence.losses > 0; --sequence.losses) {
            const auto channel = sink_.channel(sink_.source("trace"), "lost");
            if (!channel.ok()) return channel.error();
            wire::RowExtra extra;
            extra.cause = wire::LossCause::kOverrun;
            if (auto put = sink_.put(*channel, {time, SLA_CODE_GAP, 0, 0}, std::move(extra)); !put.ok()) return put;
        }
        return {};
    }
    CaptureSink& sink_;
    PerfettoTracks tracks_;
    PerfettoTraceClock trace_clock_;
    SinkClock clock_;
    SinkClock facts_;    // what the trace says of the clock beside
    bool ours_ = false;  // `sla export` wrote it
    bool has_clock_ = false;
    bool any_ = false;
    std::uint64_t zero_ = 0;  // of times
    std::string note_;        // of them; empty: none
    std::map<std::uint32_t, Sequence> sequences_;
    std::uint64_t others_ = 0;
    std::uint64_t timeless_ = 0;
    std::uint64_t stateless_ = 0;
    std::uint64_t newest_ = 0;  // of all events' times
};

}  // namespace

bool is_perfetto(std::string_view head) {
    if (head.empty() || head.front() != kPerfettoTag) return false;
    if (begins_compressed(head)) return true;
    std::istringstream in{std::string(head)};
    PerfettoPackets packets(in);
    Packet packet;
    if (!packets.next(packet)) return false;
    return packet.has_clock_snapshot() || packet.has_track_descriptor() || packet.has_track_event() ||
           packet.timestamp() != 0 || packet.trusted_packet_sequence_id() != 0;
}

Result<void> import_perfetto(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    constexpr std::uint64_t kPacketsPerLook = 4096;
    PerfettoPackets packets(in);
    PerfettoImport import(sink);
    Packet packet;
    for (std::uint64_t number = 0; packets.next(packet); ++number) {
        if (auto taken = import.take(packet); !taken.ok()) return taken;
        if (number % kPacketsPerLook == 0 && progress && !progress(packets.position(), 0)) return import_stopped();
    }
    if (packets.problem()) return *packets.problem();
    if (auto put = import.put_last_losses(); !put.ok()) return put;
    if (!import.finish())
        return damaged(import.has_timeless() ? "its events have no time that can be told" : "it has no track events");
    import.report(notes);
    return {};
}

}  // namespace sla::formats
