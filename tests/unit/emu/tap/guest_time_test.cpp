// The guest's time as ticks, and what a machine by a virtual clock writes with them by the short way and through the sinks.
#include "emu/tap/guest_time.h"

#include "emu/tap/hash_sink.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/port_tap.h"
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/own_process.h"

#include <gtest/gtest.h>

#include <vector>

extern "C" {
#include "agent/marker/internal.h"
}

namespace sla::tap {
namespace {

struct SetClock final : bus::Clock {
    [[nodiscard]] bus::Nanoseconds now() const override { return time; }
    [[nodiscard]] bool repeatable() const override { return true; }
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

// An access, an event of another channel, an access; then the same with a sink on the way that looks.
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
        const auto access = port_tap.access(0x81, bus::Width::kByte, bus::Access::kIn, ports);
        ASSERT_TRUE(access.is_watched());
        std::vector<std::uint64_t> begun;
        for (int i = 0; i < 3; ++i) {
            begun.push_back(port_tap.begin_in(access, {0xF000, 0xE05B, true}));
            port_tap.end_in(access, {0x81, bus::Width::kByte, false, 0x42}, {0xF000, 0xE05B, true});
        }
        begun.push_back(port_tap.begin_out(access, {0x81, bus::Width::kByte, true, 0x42}, {0xF000, 0xE05B, true}));
        const auto spans = ticks_of("vmm.exit.port", SLA_WIDTH_WIDE);
        ASSERT_EQ(spans.size(), 7U) << "three, and the begin of one";
        EXPECT_EQ(begun[0], 0U) << "the library makes a ring first, and stamps then";
        EXPECT_EQ(begun[1], spans[2]);
        EXPECT_EQ(begun[2], spans[4]);
        EXPECT_EQ(begun[3] + 1, spans[6]) << "behind the tick of port.post";
    });
}

TEST(GuestTime, EventsRiseOverAllChannelsByTheShortWayAndByTheSinks) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        SetClock clock;
        MarkerSink markers(&clock);
        HashSink looking(markers, clock);
        Post post;
        bus::PortTable ports;
        ports.claim(post, 0x80, 0x80);
        const auto run = [&](Sink& sink) {
            Tap tap(sink);
            VmmTap vmm_tap(sink);
            PortTap port_tap(tap, vmm_tap);
            for (int i = 0; i < 2; ++i) {
                const auto access = port_tap.access(0x80, bus::Width::kByte, bus::Access::kOut, ports);
                port_tap.begin_out(access, {0x80, bus::Width::kByte, true, 0x42}, {0xF000, 0xE05B, true});
                tap.irq_line(1, i == 0);
                port_tap.end_out(access);
            }
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
