// Perfetto traces as its SDK and its service write them.
#include "tests/unit/viewer/formats/round_trip.h"
#include "viewer/formats/perfetto/perfetto.pb.h"

#include <zlib.h>

#include <initializer_list>

namespace sla::formats {
namespace {

using TracePacket = sla::perfetto::TracePacket;
using TrackEvent = sla::perfetto::TrackEvent;

constexpr std::uint32_t kStateCleared = 1;
constexpr std::uint32_t kNeedsState = 2;
constexpr std::uint32_t kMonotonic = 3;
constexpr std::uint32_t kBoottime = 6;
constexpr std::uint32_t kDeltas = 64;  // the SDK's clock that counts from packet to packet

struct ClockReading {
    std::uint32_t id = 0;
    std::uint64_t ns = 0;
};

class PerfettoFiles : public RoundTrip {
protected:
    // As field 1 of a trace.
    void add(const TracePacket& packet) {
        bytes_ += '\x0a';
        std::size_t size = packet.ByteSizeLong();
        for (; size >= 0x80; size >>= 7) bytes_ += static_cast<char>(size | 0x80);
        bytes_ += static_cast<char>(size);
        bytes_ += packet.SerializeAsString();
    }
    static TracePacket of_sequence(std::uint32_t sequence, std::uint64_t timestamp = 0) {
        TracePacket packet;
        packet.set_trusted_packet_sequence_id(sequence);
        packet.set_timestamp(timestamp);
        return packet;
    }
    void add_clocks(std::uint32_t sequence, std::initializer_list<ClockReading> readings, std::uint32_t primary = 0) {
        TracePacket packet = of_sequence(sequence);
        packet.set_sequence_flags(kStateCleared);
        auto& snapshot = *packet.mutable_clock_snapshot();
        snapshot.set_primary_trace_clock(primary);
        for (const ClockReading& reading : readings) {
            auto& clock = *snapshot.add_clocks();
            clock.set_clock_id(reading.id);
            clock.set_timestamp(reading.ns);
            clock.set_is_incremental(reading.id == kDeltas);
            if (reading.id == kDeltas) packet.mutable_trace_packet_defaults()->set_timestamp_clock_id(kDeltas);
        }
        add(packet);
    }
    static TracePacket event(std::uint32_t sequence, std::uint64_t timestamp, std::uint64_t track,
                             TrackEvent::Type type = TrackEvent::TYPE_INSTANT) {
        TracePacket packet = of_sequence(sequence, timestamp);
        packet.mutable_track_event()->set_type(type);
        packet.mutable_track_event()->set_track_uuid(track);
        return packet;
    }
    static TracePacket described(std::uint32_t sequence, std::uint64_t timestamp, std::uint64_t track, const char* name) {
        TracePacket packet = of_sequence(sequence, timestamp);
        packet.mutable_track_descriptor()->set_uuid(track);
        packet.mutable_track_descriptor()->set_name(name);
        return packet;
    }
    const store::Session& imported() {
        take_in_bytes(bytes_, session_);
        return session_;
    }

    // All packets so far become one.
    void compress_packets() {
        uLongf size = compressBound(bytes_.size());
        std::string packed(size, '\0');
        ASSERT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes_.data()),
                           bytes_.size()),
                  Z_OK);
        packed.resize(size);
        bytes_.clear();
        TracePacket packet;
        packet.set_compressed_packets(packed);
        add(packet);
    }
    std::string bytes_;

private:
    store::Session session_;
};

TEST_F(PerfettoFiles, AClockOfDeltasCountsByThePacketsThatDescribeTracksToo) {
    add_clocks(1, {{kBoottime, 1'000'000}, {kDeltas, 1'000'000}});
    add(described(1, 0, 1, "main"));
    add(event(1, 1'000, 1));
    add(described(1, 500'000, 2, "later"));
    add(event(1, 0, 2));
    add(event(1, 1'000, 1));
    const store::Session& session = imported();
    EXPECT_EQ(reported(session, "main"), "tick @1000\ntick @502000\n");
    EXPECT_EQ(reported(session, "later"), "tick @501000\n");
}

TEST_F(PerfettoFiles, ATraceMayCountByTheMonotonicClock) {
    add_clocks(1, {{kMonotonic, 1'000'000}, {kDeltas, 1'000'000}}, kMonotonic);
    add(described(1, 0, 1, "main"));
    add(event(1, 1'000, 1));
    add(event(1, 2'000, 1));
    EXPECT_EQ(reported(imported(), "main"), "tick @1000\ntick @3000\n");
}

TEST_F(PerfettoFiles, TimesOfOtherClocksAreThoseOfTheTracesOwn) {
    add_clocks(9, {{kMonotonic, 4'000'000}, {kBoottime, 5'000'000}});
    add_clocks(1, {{kMonotonic, 4'000'000}, {kDeltas, 70}}, kMonotonic);
    add(described(1, 0, 1, "main"));
    add(event(1, 1'000, 1));
    TracePacket monotonic = event(2, 4'002'000, 1);
    monotonic.set_timestamp_clock_id(kMonotonic);
    add(monotonic);
    add(event(2, 5'003'000, 1));
    EXPECT_EQ(reported(imported(), "main"), "tick @1000\ntick @2000\ntick @3000\n");
}

// Both clocks read the same until the machine slept.
TEST_F(PerfettoFiles, AClockThatAgreedWithTheTracesOwnDoesNotBecomeIt) {
    add_clocks(9, {{kMonotonic, 5'000'000}, {kBoottime, 5'000'000}}, kBoottime);
    add(described(1, 0, 1, "main"));
    add(event(1, 5'001'000, 1));
    add_clocks(9, {{kMonotonic, 5'010'000}, {kBoottime, 5'040'000}}, kBoottime);
    TracePacket monotonic = event(2, 5'012'000, 1);
    monotonic.set_timestamp_clock_id(kMonotonic);
    add(monotonic);
    EXPECT_EQ(reported(imported(), "main"), "tick @1000\ntick @42000\n");
}

TEST_F(PerfettoFiles, CountersInStepsAndInLargerUnitsHaveTheirOwnValues) {
    const auto counter = [&](std::uint64_t track, const char* name, bool in_steps, std::int64_t unit) {
        TracePacket packet = described(1, 0, track, name);
        packet.mutable_track_descriptor()->mutable_counter()->set_is_incremental(in_steps);
        packet.mutable_track_descriptor()->mutable_counter()->set_unit_multiplier(unit);
        add(packet);
    };
    const auto value = [&](std::uint64_t track, std::uint64_t ns, std::int64_t number) {
        TracePacket packet = event(1, ns, track, TrackEvent::TYPE_COUNTER);
        packet.mutable_track_event()->set_counter_value(number);
        return packet;
    };
    counter(1, "steps", true, 0);
    counter(2, "kilobytes", false, 1024);
    counter(3, "both", true, 10);
    TracePacket real = event(1, 6'000, 1, TrackEvent::TYPE_COUNTER);
    real.mutable_track_event()->set_double_counter_value(0.5);
    TracePacket anew = value(1, 8'000, 4);
    anew.set_sequence_flags(kStateCleared);
    for (const TracePacket& packet : {value(1, 1'000, 7), value(1, 2'000, -2), value(2, 3'000, 3), value(3, 4'000, 1),
                                      value(3, 5'000, 2), real, value(1, 7'000, 1), anew})
        add(packet);
    const store::Session& session = imported();
    EXPECT_EQ(reported(session, "steps"), "value 7 @0\nvalue 5 @1000\nvalue 5.5 @5000\nvalue 6.5 @6000\nvalue 4 @7000\n");
    EXPECT_EQ(reported(session, "kilobytes"), "value 3072 @2000\n");
    EXPECT_EQ(reported(session, "both"), "value 10 @3000\nvalue 30 @4000\n");
}

TEST_F(PerfettoFiles, DroppedPacketsAreLossesAndWhatNeedsThemIsLeftOut) {
    const auto named = [&](std::uint64_t delta, std::uint64_t name) {
        TracePacket packet = event(1, delta, 1);
        packet.set_sequence_flags(kNeedsState);
        packet.mutable_track_event()->set_name_iid(name);
        return packet;
    };
    TracePacket names = of_sequence(1);
    names.mutable_interned_data()->add_event_names()->set_iid(1);
    names.mutable_interned_data()->mutable_event_names(0)->set_name("work");
    TracePacket first = described(1, 0, 1, "main");
    first.set_previous_packet_dropped(true);
    first.set_first_packet_on_sequence(true);
    add(first);
    add_clocks(1, {{kBoottime, 1'000'000}, {kDeltas, 1'000'000}});
    add(names);
    add(named(1'000, 1));
    TracePacket behind = named(2'000, 1);
    behind.set_previous_packet_dropped(true);
    add(behind);
    add(named(3'000, 1));
    add_clocks(1, {{kBoottime, 1'050'000}, {kDeltas, 1'050'000}});
    add(names);
    add(named(4'000, 1));
    TracePacket last = described(1, 0, 1, "main");
    last.set_previous_packet_dropped(true);
    add(last);
    const store::Session& session = imported();
    EXPECT_EQ(reported(session, "main"), "text 'work' @1000\ntext 'work' @54000\n");
    EXPECT_EQ(reported(session, "lost"), "gap 0 'overrun' @54000\ngap 0 'overrun' @54000\n");
    EXPECT_EQ(session.uncounted_losses(), 2U);
    EXPECT_TRUE(has_note("2 events cannot be read without the dropped packets"));
}

// A flight recorder's: what its first packets need was dropped before the trace begins.
TEST_F(PerfettoFiles, ASequenceThatBeginsInItsMiddleIsReadFromItsStateOn) {
    add_clocks(2, {{kBoottime, 1'000'000}});
    TracePacket first = event(1, 1'000, 1);
    first.set_sequence_flags(2);
    first.set_previous_packet_dropped(true);
    add(first);
    TracePacket begin = described(1, 0, 1, "main");
    begin.set_sequence_flags(1);
    add(begin);
    add_clocks(1, {{kBoottime, 1'050'000}, {kDeltas, 1'050'000}});
    TracePacket second = event(1, 1'000, 1);
    second.set_timestamp_clock_id(kDeltas);
    add(second);
    const store::Session& session = imported();
    EXPECT_EQ(session.events(), 1U);
    EXPECT_EQ(session.uncounted_losses(), 0U);
    EXPECT_TRUE(has_note("1 event cannot be read without the dropped packets"));
}

TEST_F(PerfettoFiles, CompressedPacketsAreReadAsThoseBesideThem) {
    add_clocks(1, {{kBoottime, 1'000'000}, {kDeltas, 1'000'000}});
    add(described(1, 0, 1, "main"));
    for (int i = 0; i < 100'000; ++i) add(event(1, 1'000, 1));
    compress_packets();
    add(event(1, 1'000, 1));
    const store::Session& session = imported();
    const store::Lane& lane = *session.lane_named("main");
    ASSERT_EQ(lane.size(), 100'001U);
    EXPECT_EQ(session.clock().to_ps(lane.tick(100'000)), 100'001'000'000);
    EXPECT_FALSE(has_note("no track events"));
    for (const std::size_t broken : {std::size_t{20}, bytes_.size() / 2}) {
        std::string bytes = bytes_;
        bytes[broken] = static_cast<char>(bytes[broken] ^ 0x55);
        EXPECT_FALSE(import_bytes(bytes, ImportFormat::kPerfetto).ok()) << broken;
    }
}

// The second reading of such a clock lies farther away than times reach.
TEST_F(PerfettoFiles, ACaptureOfSlowTicksComesBackWithItsTimesAndWithoutAWallClock) {
    for (const char* unit : {"1 us", "1 ns", "100 us"}) {
        store::Session session;
        store::Session back;
        take_in_bytes("$timescale " + std::string(unit) +
                          " $end\n$var integer 32 ! level $end\n$enddefinitions $end\n#0\nb0 !\n#5\nb1 !\n#9\nb11 !\n",
                      session);
        there_and_back(session, ExportFormat::kPerfetto, back);
        EXPECT_EQ(reported(back, "level"), reported(session, "level"));
        EXPECT_EQ(back.clock().origin_realtime_ns(), 0);
    }
}

}  // namespace
}  // namespace sla::formats
