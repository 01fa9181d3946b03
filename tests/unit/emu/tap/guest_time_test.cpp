// The guest's time as ticks, and what a machine by a virtual clock writes with them by the short way and through the sinks.
#include "emu/tap/guest_time.h"

#include "emu/tap/hash_sink.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/port_tap.h"
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/own_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <vector>

extern "C" {
#include "agent/marker/rings.h"
}

namespace sla::tap {
namespace {

struct SetClock final : bus::Clock {
    [[nodiscard]] bus::Nanoseconds now() const override { return time; }
    [[nodiscard]] bool repeatable() const override { return true; }
    [[nodiscard]] const bus::Nanoseconds* standing_time() const override { return &time; }
    [[nodiscard]] std::uint64_t code_bytes_until(bus::Nanoseconds) const override { return 1; }
    void executed(std::uint64_t) override {}
    void wait_until(bus::Nanoseconds) override {}
    void set(bus::Nanoseconds now) override { time = now; }
    bus::Nanoseconds time = 0;
};

struct Post final : bus::PortDevice {
    [[nodiscard]] std::string_view name() const override { return "post"; }
    std::uint32_t read_port(std::uint16_t, bus::Width) override { return 0; }
    void write_port(std::uint16_t, bus::Width, std::uint32_t) override {}
};

// The ticks of all that this thread wrote on the channel, in slots of that width.
std::vector<std::uint64_t> ticks_of(const char* name, sla_width width) {
    const sla_writer* writer = sla_writer_of(sla_channel_open(name), width, 0);
    std::vector<std::uint64_t> ticks;
    for (std::uint64_t at = 0; at < writer->next; ++at) {
        const auto* slot = reinterpret_cast<const sla_slot_plain*>(writer->slots + at * sla_slot_bytes(width));
        ticks.push_back(slot->stamp & SLA_TICK_MASK);
    }
    return ticks;
}

TEST(GuestTime, EventsOfAnInstantAreATickApartAndInstantsAsFarAsTheGuestsTimeSays) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SetClock clock;
        GuestTime time(clock);
        const std::uint64_t first = time.take(3);
        EXPECT_EQ(sla_now(), first + 2) << "what the library stamps with";
        EXPECT_EQ(time.take(1), first + 3);
        clock.time = 1'000'000;
        const std::uint64_t later = time.take(1);
        clock.time = 3'000'000;
        const std::uint64_t last = time.take(2);
        EXPECT_NEAR(static_cast<double>(last - later), 2.0 * static_cast<double>(later - first), 2.0);
        clock.time = 5'000;
        time.clock_was_set();
        EXPECT_EQ(time.take(1), last + 2) << "rows go on from where they are";
        clock.time = 1'005'000;
        EXPECT_NEAR(static_cast<double>(time.take(1) - last), static_cast<double>(later - first), 4.0);
    });
}

TEST(GuestTime, WithoutAnAgentItIsSomeTickAndNobodyListens) {
    in_own_process([] {
        ::setenv("SLA_RUNTIME_DIR", "no-such-runtime-directory", 1);
        SetClock clock;
        GuestTime time(clock);
        EXPECT_NE(time.take(1), 0U);
    });
}

TEST(PortTap, SaysAtWhichTickAnAccessBegins) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        MarkerSink markers;
        Post post;
        bus::PortTable ports;
        ports.claim(post, 0x81, 0x81);
        Tap tap(markers);
        VmmTap vmm_tap(markers);
        PortTap port_tap(tap, vmm_tap);
        const auto listeners = port_tap.listeners(0x81, ports);
        ASSERT_TRUE(listeners.any());
        const auto access = [&](bool out) {
            return PortTap::Access(listeners, {0x81, bus::Width::kByte, out, 0x42}, {0xF000, 0xE05B, true}, ports);
        };
        std::vector<std::uint64_t> begun;
        for (int i = 0; i < 3; ++i) {
            const auto in = access(false);
            begun.push_back(port_tap.begin_in(in));
            port_tap.end_in(in);
        }
        begun.push_back(port_tap.begin_out(access(true)));
        const auto spans = ticks_of("vmm.exit.port", SLA_WIDTH_WIDE);
        ASSERT_EQ(spans.size(), 7U) << "three, and the begin of one";
        EXPECT_EQ(begun[0], 0U) << "the library makes a ring first, and stamps then";
        EXPECT_EQ(begun[1], spans[2]);
        EXPECT_EQ(begun[2], spans[4]);
        EXPECT_EQ(begun[3] + 1, spans[6]) << "behind the tick of port.post";
    });
}

// A machine by a virtual clock and a chip of it, with what its accesses show.
struct StandingTaps {
    explicit StandingTaps(Sink& sink) : tap(sink), vmm_tap(sink), port_tap(tap, vmm_tap) { ports.claim(post, 0x80, 0x80); }
    template <typename Work>
    void out(Work work) {
        const PortTap::Access access(port_tap.listeners(0x80, ports), {0x80, bus::Width::kByte, true, 0x42}, here, ports);
        port_tap.begin_out(access);
        work();
        port_tap.end_out(access);
    }
    template <typename Work>
    void in(Work work) {
        PortTap::Access access(port_tap.listeners(0x80, ports), {0x80, bus::Width::kByte, false, 0}, here, ports);
        port_tap.begin_in(access);
        work();
        access.read(0x42);
        port_tap.end_in(access);
    }

    const bus::CodeAddress here{0xF000, 0xE05B, true};
    Post post;
    bus::PortTable ports;
    Tap tap;
    VmmTap vmm_tap;
    PortTap port_tap;
};

// The machine's clock is held at the tick of an access: at nanoseconds it would show its chip another time.
TEST(PortTap, WhereNotTheTscStampsAnAccessHasNoTickThatAClockCouldTakeForTheTscs) {
    in_own_process([] {
        AgentStub agent;
        std::ofstream(agent.directory() + "/agent.clock") << "raw\n";
        agent.listen();
        MarkerSink markers;
        StandingTaps taps(markers);
        ASSERT_NE(sla_attach(), 0);
        const std::uint64_t before = sla_machine_now();
        for (int i = 0; i < 3; ++i) {
            const PortTap::Access access(taps.port_tap.listeners(0x80, taps.ports), {0x80, bus::Width::kByte, true, 0x42},
                                         taps.here, taps.ports);
            EXPECT_EQ(taps.port_tap.begin_out(access), 0U);
            taps.port_tap.end_out(access);
        }
        const auto spans = ticks_of("vmm.exit.port", SLA_WIDTH_WIDE);
        ASSERT_EQ(spans.size(), 6U);
        EXPECT_GE(spans.front(), before);
        EXPECT_LE(spans.back(), sla_machine_now());
        EXPECT_TRUE(std::is_sorted(spans.begin(), spans.end()));
        EXPECT_EQ(ticks_of("port.post", SLA_WIDTH_WIDE).size(), 3U);
    });
}

TEST(PortTap, ByTheGuestsTimeAnAccessIsWrittenBehindItAndBeforeWhatItsChipShows) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SetClock clock;
        MarkerSink markers(&clock);
        StandingTaps taps(markers);
        const auto nothing = [] {};
        taps.out(nothing);  // the library makes rings
        const auto written = [](const char* name) { return ticks_of(name, SLA_WIDTH_WIDE).size(); };
        taps.out([&] { EXPECT_EQ(written("vmm.exit.port"), 2U) << "nobody needs it yet"; });
        EXPECT_EQ(written("vmm.exit.port"), 4U);
        taps.out([&] {
            taps.tap.irq_line(1, true);
            EXPECT_EQ(written("port.post"), 3U);
            EXPECT_EQ(written("vmm.exit.port"), 5U) << "its begin";
        });
        taps.in([&] {
            taps.tap.irq_line(1, false);
            EXPECT_EQ(written("port.post"), 3U);
            EXPECT_EQ(written("vmm.exit.port"), 7U);
        });
        taps.in(nothing);
        const auto accesses = ticks_of("port.post", SLA_WIDTH_WIDE);
        const auto spans = ticks_of("vmm.exit.port", SLA_WIDTH_WIDE);
        const auto levels = ticks_of("irq.1", SLA_WIDTH_PLAIN);
        ASSERT_EQ(accesses.size(), 5U);
        ASSERT_EQ(spans.size(), 10U);
        ASSERT_EQ(levels.size(), 2U);
        const std::uint64_t begin =
            accesses[1];  // tick, begin, end; tick, begin, level, end; begin, level, end, tick; begin, end, tick
        EXPECT_EQ((std::vector{spans[2], spans[3]}), (std::vector{begin + 1, begin + 2}));
        EXPECT_EQ((std::vector{accesses[2], spans[4], levels[0], spans[5]}),
                  (std::vector{begin + 3, begin + 4, begin + 5, begin + 6}));
        EXPECT_EQ((std::vector{spans[6], levels[1], spans[7], accesses[3]}),
                  (std::vector{begin + 7, begin + 8, begin + 9, begin + 10}));
        EXPECT_EQ((std::vector{spans[8], spans[9], accesses[4]}), (std::vector{begin + 11, begin + 12, begin + 13}));
    });
}

// Nobody reads the rings, and they do not grow: what does not fit is lost, at its own time, and all else is there.
TEST(PortTap, ByTheGuestsTimeWhatFindsNoSpaceIsCounted) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SetClock clock;
        MarkerSink markers(&clock);
        constexpr std::uint64_t kSlots = 256;
        constexpr std::uint64_t kAccesses = 1000;
        sla_channel* accesses = sla_channel_open_with("port.post", "x86.port", SLA_DROP_NEWEST, kSlots);
        sla_channel* spans = sla_channel_open_with("vmm.exit.port", "x86.addr", SLA_DROP_NEWEST, 4 * kSlots);
        StandingTaps taps(markers);
        for (std::uint64_t i = 0; i < kAccesses; ++i) {
            clock.time += 500;
            taps.in([] {});
        }
        const auto ring_of = [](sla_channel* channel) { return sla_writer_of(channel, SLA_WIDTH_WIDE, 0)->ring; };
        EXPECT_EQ(ring_of(accesses)->head, kSlots);
        EXPECT_EQ(ring_of(accesses)->lost, kAccesses - kSlots);
        EXPECT_EQ(ring_of(spans)->head, 4 * kSlots);
        EXPECT_EQ(ring_of(spans)->lost, 2 * kAccesses - 4 * kSlots);
        for (sla_channel* channel : {accesses, spans}) {
            EXPECT_EQ(ring_of(channel)->reserve, ring_of(channel)->head);
            EXPECT_LT(ring_of(channel)->lost_first_tick, ring_of(channel)->lost_last_tick);
        }
        EXPECT_EQ(ring_of(accesses)->lost_last_tick, ring_of(spans)->lost_last_tick + 1) << "the tick behind the span's end";
        const auto ticks = ticks_of("port.post", SLA_WIDTH_WIDE);
        const auto ends = ticks_of("vmm.exit.port", SLA_WIDTH_WIDE);
        EXPECT_EQ(ticks.back(), ends.at(2 * kSlots - 1) + 1);
    });
}

// An access, an event of another channel, an access; then the same with a sink on the way that looks.
TEST(GuestTime, EventsRiseOverAllChannelsByTheShortWayAndByTheSinks) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SetClock clock;
        MarkerSink markers(&clock);
        HashSink looking(markers, clock);
        const auto run = [&](Sink& sink) {
            StandingTaps taps(sink);
            for (int i = 0; i < 2; ++i) taps.out([&] { taps.tap.irq_line(1, i == 0); });
        };
        ASSERT_TRUE(markers.straight(markers.open("port.post", "x86.port")).has_value());
        run(markers);
        run(looking);
        const auto accesses = ticks_of("port.post", SLA_WIDTH_WIDE);
        const auto spans = ticks_of("vmm.exit.port", SLA_WIDTH_WIDE);
        const auto levels = ticks_of("irq.1", SLA_WIDTH_PLAIN);
        ASSERT_EQ(accesses.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i) {
            const std::uint64_t at = accesses[0] + 4 * i;
            EXPECT_EQ(accesses[i], at);
            EXPECT_EQ(spans.at(2 * i), at + 1);
            EXPECT_EQ(levels.at(i), at + 2);
            EXPECT_EQ(spans.at(2 * i + 1), at + 3) << "the end in the begin's ring, without details of its own";
        }
    });
}

}  // namespace
}  // namespace sla::tap
