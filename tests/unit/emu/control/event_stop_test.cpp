// The guest stops at an event, on every CPU; on x86emu behind the very instruction.
#include "emu/control/event_stop.h"
#include "emu/control/console.h"
#include "emu/machine/virtual_clock.h"
#include "emu/tap/marker_sink.h"
#include "tests/unit/emu/support/recording_sink.h"
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace sla::control {
namespace {

using testing::HasSubstr;

TEST(EventStop, FiresOnceAtTheEventItIsArmedForAndPassesAllOn) {
    machine::VirtualClock clock;
    tap::RecordingSink behind(&clock);
    EventStop stop(behind, clock);
    const auto post = stop.open("port.post", "");
    int fired = 0;
    ASSERT_TRUE(stop.arm("late > 5", [&] { ++fired; }).ok());
    const auto late = stop.open("late", "");
    stop.plain(late, SLA_CODE_VALUE_UNSIGNED, 5);
    stop.plain(post, SLA_CODE_TICK_VALUE, 9);
    EXPECT_EQ(fired, 0);
    stop.plain(late, SLA_CODE_VALUE_UNSIGNED, 6);
    EXPECT_EQ(fired, 1);
    EXPECT_EQ(stop.fired().channel, "late");
    EXPECT_FALSE(stop.armed());
    stop.plain(late, SLA_CODE_VALUE_UNSIGNED, 7);
    EXPECT_EQ(fired, 1);
    EXPECT_EQ(behind.events.size(), 4U);
}

// Events take the short way around it only while it does not look at them.
TEST(EventStop, SaysThatWaysChangeWhenItBeginsToLookAndWhenItEnds) {
    machine::VirtualClock clock;
    tap::MarkerSink behind;
    EventStop stop(behind, clock);
    const auto post = stop.open("port.post", "");
    EXPECT_TRUE(stop.straight(post).has_value());
    std::uint64_t ways = stop.ways()->changes();
    const auto changed = [&] { return std::exchange(ways, stop.ways()->changes()) != stop.ways()->changes(); };
    ASSERT_TRUE(stop.arm("port.post", [] {}).ok());
    EXPECT_TRUE(changed());
    EXPECT_FALSE(stop.straight(post).has_value());
    stop.plain(post, SLA_CODE_TICK, 0);
    EXPECT_TRUE(changed()) << "it fired";
    EXPECT_TRUE(stop.straight(post).has_value());
}

TEST(EventStop, WhoeverLooksAsideSeesWhatWouldTakeTheShortWay) {
    machine::VirtualClock clock;
    tap::MarkerSink behind;
    EventStop stop(behind, clock);
    const auto exits = stop.open("vmm.exit.port", "");
    std::uint64_t ways = stop.ways()->changes();
    const auto changed = [&] { return std::exchange(ways, stop.ways()->changes()) != stop.ways()->changes(); };
    tap::RecordingSink aside;
    stop.report_channels(aside);
    stop.also(&aside);
    EXPECT_TRUE(changed());
    EXPECT_FALSE(stop.straight(exits).has_value());
    stop.also(nullptr);
    EXPECT_TRUE(changed());
    EXPECT_TRUE(stop.straight(exits).has_value());
}

TEST(EventStop, ATriggerOfSeveralStagesIsOne) {
    machine::VirtualClock clock;
    tap::RecordingSink behind(&clock);
    EventStop stop(behind, clock);
    const auto a = stop.open("a", "");
    const auto b = stop.open("b", "");
    int fired = 0;
    ASSERT_TRUE(stop.arm("a then 2 x b", [&] { ++fired; }).ok());
    for (const auto channel : {b, b, a, b}) stop.plain(channel, SLA_CODE_TICK, 0);
    EXPECT_EQ(fired, 0);
    stop.plain(b, SLA_CODE_TICK, 0);
    EXPECT_EQ(fired, 1);
}

TEST(EventStop, WhatIsNoTriggerIsRefusedWithItsPlace) {
    machine::VirtualClock clock;
    tap::RecordingSink behind(&clock);
    EventStop stop(behind, clock);
    const auto refused = stop.arm("a >", [] {});
    ASSERT_FALSE(refused.ok());
    EXPECT_FALSE(refused.error().message.empty());
    EXPECT_FALSE(stop.armed());
}

// A PC whose events go by an EventStop.
class Pc {
public:
    explicit Pc(std::string_view cpu) {
        const auto image = vmm::assembled_guest(SLA_GUEST_DIR, "posts");
        EXPECT_TRUE(pc.memory().load_rom(image).ok());
        const auto plugged = vmm.plug_cpu(cpu);
        EXPECT_TRUE(plugged.ok()) << (plugged.ok() ? "" : plugged.error().message);
    }
    std::string ask(const std::string& line) {
        const auto done = console.run(line);
        return done ? *done : "error: " + done.error().message;
    }
    // Runs; at each stop the console has its say, then `look`, which lets it go.
    template <typename Look>
    void run(Look look) {
        vmm.on_stop([&](const cpu::StopPoints::Found& found) {
            console.stopped(found);
            look();
        });
        const vmm::Outcome end = vmm.run(10 * vmm::TestPc::kSecond);
        EXPECT_EQ(end.exit_code, 7) << end.message;
    }

    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
    machine::StopSignal stop;
    tap::RecordingSink seen{&clock};
    EventStop events{seen, clock};
    tap::Tap tap{events};
    vmm::Vmm vmm{pc, tap, stop};
    Console console{pc, vmm, &events};
};

TEST(EventStopOnX86emu, TheGuestStopsBehindTheVeryInstruction) {
    Pc pc("x86emu");
    EXPECT_EQ(pc.ask("stop-at port.post == 3"), "");
    int stops = 0;
    pc.run([&] {
        ++stops;
        EXPECT_EQ(pc.pc.post_port().code(), 3U);
        EXPECT_TRUE(pc.console.paused());
        EXPECT_EQ(*pc.vmm.cpu().read_byte(pc.vmm.linear_address() - 2), 0xE6) << "OUT 80h, AL stands before it";
        EXPECT_THAT(pc.console.report(), HasSubstr("behind port.post (port.post == 3)"));
        EXPECT_THAT(pc.console.report(), HasSubstr("inc ax"));
        EXPECT_EQ(pc.ask("go"), "");
    });
    EXPECT_EQ(stops, 1);
}

TEST(EventStopOnX86emu, FromEventToEvent) {
    Pc pc("x86emu");
    EXPECT_EQ(pc.ask("run-to-event port.post"), "");
    EXPECT_TRUE(pc.console.waits());
    std::vector<unsigned> codes;
    pc.run([&] {
        codes.push_back(pc.pc.post_port().code());
        EXPECT_FALSE(pc.console.waits());
        EXPECT_EQ(pc.ask(codes.size() < 3 ? "run-to-event port.post" : "go"), "");
    });
    EXPECT_EQ(codes, (std::vector<unsigned>{1, 2, 3}));
}

TEST(EventStopOnX86emu, StepsAndAnAddressToRunTo) {
    Pc pc("x86emu");
    EXPECT_EQ(pc.ask("run-to f000:f004"), "");
    std::vector<std::uint32_t> stood;
    pc.run([&] {
        stood.push_back(pc.vmm.linear_address());
        EXPECT_EQ(pc.ask(stood.size() == 1 ? "step 2" : "go"), "");
    });
    EXPECT_EQ(stood, (std::vector<std::uint32_t>{0xFF004, 0xFF009}));
}

TEST(Symbols, NameWhereTheGuestStandsAndAreAddresses) {
    Pc pc("x86emu");
    symbol::Symbols symbols;
    ASSERT_TRUE(symbols.add("ff000 start\nff00b next\n", 0).ok());
    Console console(pc.pc, pc.vmm, &pc.events, &symbols);
    ASSERT_TRUE(console.run("run-to next").ok());
    std::vector<std::string> said;
    pc.vmm.on_stop([&](const cpu::StopPoints::Found& found) {
        console.stopped(found);
        said.push_back(console.report());
        const auto code = console.run("disassemble start 1");
        ASSERT_TRUE(code.ok());
        said.push_back(*code);
        EXPECT_TRUE(console.run(said.size() == 2 ? "step" : "go").ok());
    });
    EXPECT_EQ(pc.vmm.run(10 * vmm::TestPc::kSecond).exit_code, 7);
    ASSERT_EQ(said.size(), 4U);
    EXPECT_THAT(said[0], HasSubstr("the guest stands at f000:0000f00b <next>\n"));
    EXPECT_THAT(said[1], HasSubstr("f000:0000f000 <start>"));
    EXPECT_THAT(said[2], HasSubstr("f000:0000f00d <next+0x2>"));
}

TEST(EventStopOnUnicorn, TheGuestStopsAtTheNextBlockAndSaysHowLateThatIs) {
    Pc pc("unicorn");
    EXPECT_EQ(pc.ask("stop-at port.post == 3"), "");
    int stops = 0;
    pc.run([&] {
        ++stops;
        EXPECT_GE(pc.pc.post_port().code(), 3U);
        EXPECT_THAT(pc.console.report(), HasSubstr(" ns behind port.post"));
        EXPECT_EQ(pc.ask("go"), "");
    });
    EXPECT_EQ(stops, 1);
}

TEST(EventStopOnUnicorn, WhoMistypedAChannelIsToldWhenOneOpensThatIsNear) {
    Pc pc("unicorn");
    std::vector<std::string> told;
    pc.events.on_near([&](const std::string& text) { told.push_back(text); });
    EXPECT_EQ(pc.ask("stop-at port.pots == 3"), "") << "no channel is there before the guest runs";
    int stops = 0;
    pc.run([&] { ++stops; });
    EXPECT_EQ(stops, 0);
    const std::string text = "no channel is called 'port.pots' yet (did you mean 'port.post'?); waiting for it";
    EXPECT_EQ(told, std::vector<std::string>{text});
    EXPECT_EQ(pc.ask("stop-at port.pots == 3"), text + "\n");
    EXPECT_EQ(pc.ask("run-to-event port.pots == 3"), text + "\n");
}

TEST(EventStopOnUnicorn, NoneTakesItBack) {
    Pc pc("unicorn");
    EXPECT_EQ(pc.ask("stop-at port.post"), "");
    EXPECT_EQ(pc.ask("stop-at none"), "");
    int stops = 0;
    pc.run([&] { ++stops; });
    EXPECT_EQ(stops, 0);
    EXPECT_THAT(pc.ask("stop-at"), HasSubstr("write stop-at TRIGGER"));
    EXPECT_THAT(pc.ask("stop-at a >"), HasSubstr("error: "));
}

}  // namespace
}  // namespace sla::control
