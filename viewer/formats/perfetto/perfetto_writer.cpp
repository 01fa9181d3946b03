// Perfetto's protobuf trace: a Trace is TracePackets, each as field 1. Spans are slices, ticks, texts and losses instants,
// levels and values counters. The process track of a source holds one thread track a thread, with the spans of all its
// channels, nested (thread_tracks.h); it holds one track a lane, for all else.
//
// Times are nanoseconds of CLOCK_BOOTTIME's place in the format, counted like CLOCK_MONOTONIC_RAW; a clock snapshot at the
// capture's start ties them to the wall clock. The trace's metadata holds what else `sla import` wants to know of the clock and the
// sources.
#include "viewer/formats/names.h"
#include "viewer/formats/perfetto/perfetto.h"
#include "viewer/formats/perfetto/perfetto.pb.h"
#include "viewer/formats/perfetto/perfetto_events.h"
#include "viewer/formats/perfetto/perfetto_packets.h"
#include "viewer/formats/perfetto/perfetto_sequence.h"
#include "viewer/formats/source_facts.h"
#include "viewer/formats/stamp_errors.h"
#include "viewer/formats/thread_tracks.h"
#include "viewer/formats/write_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sla::formats {

namespace {

constexpr std::uint32_t kSequence = 1;
constexpr std::uint32_t kRealtime = 1;  // builtin clocks
constexpr std::uint32_t kMonotonicRaw = 5;
constexpr std::uint32_t kBoottime = 6;

// Track uuids: what is numbered, and its number.
enum class Uuid : std::uint64_t { kSource = 1, kThread = 2, kLane = 3, kCounter = 4, kRow = 5 };
std::uint64_t uuid(Uuid what, std::uint64_t number) {
    return static_cast<std::uint64_t>(what) << 40 | number;
}

class PerfettoWriter {
public:
    PerfettoWriter(const store::Session& session, const analysis::Selection& selection)
        : session_(session),
          lanes_(selection.lanes),
          clock_(session.clock()),
          threads_(session, selection),
          source_facts_(source_facts_text(session, selection)) {
        zero_ns_ = start_ns(session);
        for (const store::Lane* lane : selection.lanes) {
            const std::uint64_t first = lane->lower_bound(selection.from);
            if (first < lane->size()) zero_ns_ = std::max(zero_ns_, -(clock_.to_ps(lane->tick(first)) / 1000) + 1);
        }
    }

    void put_head(std::string& out) {
        sla::perfetto::TracePacket packet;
        auto& snapshot = *packet.mutable_clock_snapshot();
        const auto reading = [&](std::uint32_t id, std::int64_t ns) {
            auto& clock = *snapshot.add_clocks();
            clock.set_clock_id(id);
            clock.set_timestamp(static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0)));
        };
        reading(kBoottime, zero_ns_);
        reading(kMonotonicRaw, zero_ns_);
        if (clock_.origin_realtime_ns() > 0) reading(kRealtime, clock_.origin_realtime_ns());
        snapshot.set_primary_trace_clock(kBoottime);
        append(packet, out);
        put_facts(out);
        packet.Clear();
        packet.set_sequence_flags(PerfettoSequence::kStateCleared);
        for (const store::Lane* lane : lanes_) {
            auto& name = *packet.mutable_interned_data()->add_event_names();
            name.set_iid(lane->channel().id.value + std::uint64_t{1});
            name.set_name(lane->channel().name);
        }
        append(packet, out);
    }

    void put(const store::RowRef& place, const store::Event& event, std::string& out) {
        const bool counter = event.kind() == wire::Kind::kLevel || event.kind() == wire::Kind::kValue;
        const auto row = threads_.row_of(place, event);
        const std::uint64_t track = counter ? counter_of(*place.lane, out)
                                    : row   ? row_of(*place.lane, event.thread, *row, out)
                                            : track_of(*place.lane, event.thread, out);
        event_.Clear();
        event_.set_sequence_flags(PerfettoSequence::kNeedsState);
        const std::int64_t ns = zero_ns_ + clock_.to_ps(event.tick) / 1000;
        event_.set_timestamp(static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0)));
        auto& body = *event_.mutable_track_event();
        body.set_track_uuid(track);
        fill_track_event(place, event, scratch_, body);
        if (row) {
            body.set_name_iid(place.lane->channel().id.value + std::uint64_t{1});  // of ends too: it says the channel
            body.add_categories(kPerfettoOwn);
        }
        append(event_, out);
    }

private:
    using Descriptor = sla::perfetto::TrackDescriptor;

    // CLOCK_MONOTONIC_RAW at the capture's start, by the reading nearest to it: others may lie farther away than times reach.
    static std::int64_t start_ns(const store::Session& session) {
        const time::ClockMap& clock = session.clock();
        const auto distance = [&](const time::ClockSnapshot& snapshot) {
            return std::max(snapshot.tick, clock.origin_tick()) - std::min(snapshot.tick, clock.origin_tick());
        };
        const auto nearest = std::min_element(session.snapshots().begin(), session.snapshots().end(),
                                              [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
        if (nearest == session.snapshots().end()) return 0;
        return std::max<std::int64_t>(nearest->monotonic_raw_ns - clock.to_ps(nearest->tick) / 1000, 0);
    }
    static void append(sla::perfetto::TracePacket& packet, std::string& out) {
        packet.set_trusted_packet_sequence_id(kSequence);
        out += '\x0a';  // field 1, length-delimited
        for (std::size_t size = packet.ByteSizeLong(); true; size >>= 7) {
            if (size < 0x80) {
                out += static_cast<char>(size);
                break;
            }
            out += static_cast<char>(size | 0x80);
        }
        packet.AppendToString(&out);
    }

    void put_facts(std::string& out) const {
        sla::perfetto::TracePacket packet;
        const auto say = [&](const char* name, std::string text) {
            auto& one = *packet.mutable_chrome_events()->add_metadata();
            one.set_name(name);
            one.set_string_value(std::move(text));
        };
        say(kPerfettoCapture, kPerfettoCaptureForm);
        say(kPerfettoTicksPerSecond, fmt::format("{}", clock_.ticks_per_second()));
        say(kPerfettoClockError, fmt::format("{}", clock_.slope_error_ppb()));
        say(kPerfettoStampErrors, stamp_errors_text(session_));
        if (!source_facts_.empty()) say(kPerfettoSources, source_facts_);
        append(packet, out);
    }

    static std::int32_t pid_of(const store::Source* source, SourceId id) {
        if (source != nullptr && source->pid > 0) return static_cast<std::int32_t>(source->pid & 0x3fffffff);
        return static_cast<std::int32_t>(0x40000000 | (id.value & 0x3fffffff));  // no process of ours has such a number
    }
    // `fill` gets the descriptor of a track that the file has not described yet.
    template <typename Fill>
    std::uint64_t described(std::uint64_t own, std::string& out, Fill fill) {
        if (!described_.insert(own).second) return own;
        sla::perfetto::TracePacket packet;
        packet.mutable_track_descriptor()->set_uuid(own);
        fill(*packet.mutable_track_descriptor());
        append(packet, out);
        return own;
    }
    std::uint64_t source_of(const store::Lane& lane, std::string& out) {
        const SourceId id = lane.channel().source;
        return described(uuid(Uuid::kSource, id.value), out, [&](Descriptor& track) {
            track.mutable_process()->set_pid(pid_of(session_.source(id), id));
            track.mutable_process()->set_process_name(source_text(session_, lane));
        });
    }
    std::uint64_t thread_of(const store::Lane& lane, std::uint32_t id, std::string& out) {
        const std::uint64_t parent = source_of(lane, out);
        const store::Thread* thread = session_.thread(ThreadId{id});
        if (thread == nullptr || thread->tid == 0) return parent;
        return described(uuid(Uuid::kThread, id), out, [&](Descriptor& track) {
            track.set_parent_uuid(parent);
            track.mutable_thread()->set_pid(pid_of(session_.source_of(lane), lane.channel().source));
            track.mutable_thread()->set_tid(static_cast<std::int32_t>(thread->tid));
            track.mutable_thread()->set_thread_name(thread->name);
        });
    }
    std::uint64_t track_of(const store::Lane& lane, std::uint32_t thread, std::string& out) {
        const Track numbered = tracks_.of(lane, thread);
        const std::uint64_t own = uuid(Uuid::kLane, numbered.number);
        if (!numbered.fresh) return own;
        return described(own, out, [&](Descriptor& track) {
            track.set_name(lane.channel().name);
            track.set_parent_uuid(thread_of(lane, thread, out));
        });
    }
    // Overlapping spans have rows of their own, below the thread.
    std::uint64_t row_of(const store::Lane& lane, std::uint32_t thread, std::size_t row, std::string& out) {
        const std::uint64_t parent = thread_of(lane, thread, out);
        if (row == 0) return parent;
        const std::uint64_t own = uuid(Uuid::kRow, std::uint64_t{thread} * ThreadTracks::kMaxRows + row);
        return described(own, out, [&](Descriptor& track) {
            track.set_name(thread_text(session_, thread) + " (" + std::to_string(row + 1) + ")");
            track.set_parent_uuid(parent);
        });
    }
    std::uint64_t counter_of(const store::Lane& lane, std::string& out) {
        return described(uuid(Uuid::kCounter, lane.channel().id.value), out, [&](Descriptor& track) {
            track.set_name(lane.channel().name);
            track.set_parent_uuid(source_of(lane, out));
            track.mutable_counter();
        });
    }

    const store::Session& session_;
    const std::vector<const store::Lane*>& lanes_;
    time::ClockMap clock_;
    std::int64_t zero_ns_ = 0;  // of the capture's start, in the file's clock
    Tracks tracks_;
    ThreadTracks threads_;
    std::string source_facts_;
    std::set<std::uint64_t> described_;
    sla::perfetto::TracePacket event_;
    std::string scratch_;
};

}  // namespace

Result<ExportReport> write_perfetto(const store::Session& session, const analysis::Selection& selection, Output& output,
                                    const Progress& progress) {
    PerfettoWriter writer(session, selection);
    analysis::EventWalk walk(session, selection, progress);
    ExportReport report;
    std::string buffer;
    if (auto done = write_events(writer, walk, buffer, output, report.events); !done.ok()) return done.error();
    if (auto finished = output.finish(buffer); !finished.ok()) return finished.error();
    report.left_out.emplace_back(
        "perfetto keeps whole nanoseconds; ticks, details and which thread set a value are not in it, and levels are "
        "values");
    return report;
}

}  // namespace sla::formats
