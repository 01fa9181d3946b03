// What commands change, and what they leave alone.
#include "emu/control/console.h"
#include "emu/guest/demo_guest.h"
#include "emu/machine/virtual_clock.h"
#include "emu/snapshot/subject.h"
#include "tests/support/with_directory.h"
#include "tests/unit/emu/support/recording_sink.h"
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace sla::control {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr bus::Nanoseconds kMillisecond = 1'000'000;

// The demonstration guest with a console, a history, and a file to save to.
class Demo : public support::WithDirectory, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        ASSERT_TRUE(pc.memory().load_rom(guest::demo_guest(0)).ok());
        ASSERT_TRUE(vmm.plug_cpu(GetParam()).ok());
        subject.add([this](bus::StateVisitor& state) { vmm.visit_state(state); });
        console.save_and_load(subject);
    }
    void keep_history() {
        history.emplace(vmm, subject, ground, std::size_t{64} << 20,
                        history::History::Listener{[](const std::string&) {}, [] {}});
        console.go_back_by(&*history, "");
        history->begin();
    }
    std::string ask(const std::string& line) {
        const auto done = console.run(line);
        return done ? *done : "error: " + done.error().message;
    }
    [[nodiscard]] std::string outcome() const {
        const auto done = console.outcome();
        return done ? *done : (done.error().code == ErrorCode::kNotFound ? "no: " : "error: ") + done.error().message;
    }
    // Steps until there are so many stops; `look` is called at each, and may ask.
    template <typename Look>
    void step(int wanted, Look look) {
        int stops = 0;
        vmm.on_stop([&, look](const cpu::StopPoints::Found& found) {
            console.stopped(found);
            look(++stops);
            ask(stops < wanted ? "step 100" : "go");
        });
        ask("step 100");
        EXPECT_EQ(vmm.run(kMillisecond).ending, vmm::Ending::kTimeUp);
        EXPECT_EQ(stops, wanted);
    }

    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
    machine::StopSignal stop;
    tap::RecordingSink seen{&clock};
    history::KnownGround ground{seen};
    EventStop events{ground, clock};
    tap::Tap tap{events};
    vmm::Vmm vmm{pc, tap, stop};
    snapshot::Subject subject;
    std::optional<history::History> history;
    Console console{pc, vmm, &events};
};

TEST_P(Demo, TheSecondControllersLineIsNobodysToPulse) {
    EXPECT_THAT(ask("irq 2"), StartsWith("error: line 2 is the second controller's"));
    EXPECT_EQ(ask("irq 3"), "");
    EXPECT_THAT(ask("help"), HasSubstr("0 to 15 but 2"));
}

TEST_P(Demo, AWriteThatIsWrongInTheMiddleWritesNothing) {
    EXPECT_EQ(ask("write 0:700 1 2 3"), "");
    EXPECT_THAT(ask("write 0:700 4 5 six"), StartsWith("error: \"six\" is no number"));
    EXPECT_THAT(ask("x 0:700 3"), HasSubstr("01 02 03"));
    EXPECT_EQ(ask("write 0x1fffff 7"), "");
    EXPECT_THAT(ask("write 0x1ffffe 8 9 10"), StartsWith("error: there is no memory at 200000h"));
    EXPECT_THAT(ask("x 0x1ffffe 2"), HasSubstr("00 07"));
}

TEST_P(Demo, AGuestThatADebuggerHoldsStandsAndGoesOnByNoCommandHere) {
    bool holds = true;
    console.ask_others([&] { return holds; });
    EXPECT_THAT(ask("state guest"), HasSubstr("paused 1"));
    for (const char* command : {"step", "run-to 0", "run-to-event port.post"})
        EXPECT_THAT(ask(command), StartsWith("error: the guest stands still for a debugger")) << command;
    EXPECT_FALSE(console.waits());
    EXPECT_THAT(ask("pause"), StartsWith("the guest stands at"));
    EXPECT_THAT(ask("go"), StartsWith("error: the guest stands still for a debugger"));
    EXPECT_FALSE(console.paused()) << "it is held by the debugger alone";
    ASSERT_THAT(ask("save " + file("held")), HasSubstr("saved to "));
    EXPECT_THAT(ask("load " + file("held")), StartsWith("error: a debugger that holds the guest would not know"));
    holds = false;
    EXPECT_THAT(ask("load " + file("held")), HasSubstr("the guest stands at"));
    EXPECT_THAT(ask("state guest"), HasSubstr("paused 0"));
    EXPECT_EQ(ask("go"), "");
}

TEST_P(Demo, FlagsThatNoProcessorHasAreNotSet) {
    const std::string before = ask("regs");
    EXPECT_THAT(ask("set eflags 0xffffffff"), StartsWith("error: eflags: bits ffc28028h do not change"));
    EXPECT_EQ(ask("regs"), before);
    EXPECT_EQ(ask("set eflags 0"), "");
    EXPECT_THAT(ask("regs"), HasSubstr("eflags 00000002 \n"));
}

TEST_P(Demo, WhatIsNotThereIsSaid) {
    EXPECT_THAT(ask("wrmsr 99h 1"), StartsWith("error: this PC has no model-specific register 99h"));
    EXPECT_THAT(ask("run-to main"), StartsWith("error: \"main\" is no address and no symbol"));
}

TEST_P(Demo, ALookAtModelSpecificRegistersIsNoEventOfTheGuests) {
    step(2, [this](int stops) {
        const auto before = seen.events.size();
        const auto now = clock.now();
        EXPECT_THAT(ask("rdmsr 10h"), HasSubstr("10h 0000"));
        EXPECT_EQ(ask("rdmsr 10h"), ask("rdmsr 10h"));
        EXPECT_THAT(ask("rdmsr 12h"), HasSubstr("12h 0000"));
        EXPECT_THAT(ask("rdmsr 1bh"), HasSubstr("fee00900"));
        if (stops == 2) {
            EXPECT_EQ(ask("wrmsr 11h 0"), "");
            EXPECT_EQ(ask("wrmsr 10h 5"), "");
            EXPECT_EQ(ask("rdmsr 10h"), "10h 0000000000000005\n");
        }
        EXPECT_EQ(seen.events.size(), before);
        EXPECT_EQ(clock.now(), now);
    });
}

TEST_P(Demo, WhoeverGivesUpAWaitTakesBackWhatHeWaitedForAndNothingElse) {
    ASSERT_EQ(ask("stop-at irq.0.isr begins"), "");
    ASSERT_EQ(ask("step 1000000"), "");
    console.give_up();
    EXPECT_TRUE(events.armed()) << "somebody else's";
    ASSERT_EQ(ask("run-to-event port.post"), "");
    EXPECT_THAT(ask("step"), StartsWith("error: somebody waits already"));
    EXPECT_THAT(ask("stop-at none"), StartsWith("error: somebody waits already"));
    console.give_up();
    EXPECT_FALSE(events.armed());
}

TEST_P(Demo, PauseEndsAWait) {
    ASSERT_EQ(ask("run-to 0:1234"), "");
    ASSERT_TRUE(console.waits());
    EXPECT_THAT(ask("pause"), HasSubstr("the guest stands at"));
    EXPECT_FALSE(console.waits());
    EXPECT_TRUE(console.paused());
    EXPECT_THAT(outcome(), StartsWith("no: the guest stopped before it came to 0:1234\nthe guest stands at"));
    EXPECT_EQ(console.run_ended().message, "the run ended before it came to 0:1234");
}

TEST_P(Demo, WhoWaitsLearnsWhetherItCame) {
    const std::vector<std::string> waits{"step 3", "step 3", "run-to f000:f000", "run-to-event irq.0.isr begins"};
    std::vector<std::string> outcomes;
    vmm.on_stop([&](const cpu::StopPoints::Found& found) {
        console.stopped(found);
        outcomes.push_back(outcome());
        if (outcomes.size() == waits.size()) return (void)ask("go");
        ASSERT_EQ(ask(waits[outcomes.size()]), "");
        if (outcomes.size() == 1) vmm.stop_points().ask();  // somebody else's
        if (outcomes.size() == 2) vmm.stop_points().step();
    });
    ASSERT_EQ(ask(waits[0]), "");
    EXPECT_EQ(vmm.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    ASSERT_EQ(outcomes.size(), 4U);
    EXPECT_THAT(outcomes[0], StartsWith("the guest stands at"));
    EXPECT_THAT(outcomes[1], StartsWith("no: the guest stopped before 3 instructions were made\nthe guest stands at"));
    EXPECT_THAT(outcomes[2], StartsWith("no: the guest stopped before it came to f000:f000\nthe guest stands at"));
    EXPECT_THAT(outcomes[3], HasSubstr("behind irq.0.isr"));
}

TEST_P(Demo, ADebuggersStepIsNotTheOneThatIsWaitedForAndHoldsTheGuestForItselfOnly) {
    std::string answer;
    bool is_held = true;
    vmm.on_stop([&](const cpu::StopPoints::Found& found) {
        console.stopped(found, true);
        answer = outcome();
        is_held = console.paused();
    });
    ASSERT_EQ(ask("step 4000000"), "");
    vmm.stop_points().step();  // the debugger's, beside it
    EXPECT_EQ(vmm.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    EXPECT_THAT(answer, StartsWith("no: the guest stopped before 4000000 instructions were made"));
    EXPECT_FALSE(is_held);
    EXPECT_FALSE(console.waits());
}

TEST_P(Demo, ADebuggersStepThatIsBrokenOffLeavesTheOneThatIsWaitedFor) {
    std::string answer;
    vmm.on_stop([&](const cpu::StopPoints::Found& found) {
        console.stopped(found);
        answer = outcome();
        ask("go");
    });
    ASSERT_EQ(ask("step 1000"), "");
    vmm.stop_points().cancel_step(vmm.stop_points().step(10));
    EXPECT_EQ(vmm.run(kMillisecond).ending, vmm::Ending::kTimeUp);
    EXPECT_THAT(answer, StartsWith("the guest stands at"));
}

TEST_P(Demo, APlaceThatTheGuestDidNotComeByLeavesItWhereItStands) {
    keep_history();
    step(2, [this](int stops) {
        if (stops < 2) return;
        const std::string stood = console.report();
        const auto back = console.run("reverse-to 0:1234");
        ASSERT_FALSE(back.ok());
        EXPECT_EQ(back.error().code, ErrorCode::kNotFound);
        EXPECT_THAT(back.error().message, HasSubstr("the guest did not come by there between 0.000000 ms, where"));
        EXPECT_EQ(console.report(), stood);
        EXPECT_THAT(ask("reverse-to-event irq.0.irs begins"), HasSubstr("no channel is called 'irq.0.irs' yet"));
        EXPECT_EQ(console.report(), stood);
        EXPECT_EQ(console.run("reverse-step 1000").error().code, ErrorCode::kNotFound);
        EXPECT_NE(console.report(), stood) << "as far back as it goes";
    });
}

TEST_P(Demo, CountsOfSectionsStayWhereTheGuestDoes) {
    keep_history();
    std::string counted;
    step(2, [&](int stops) {
        counted = ask("section vmm.exit.port 16");
        if (stops < 2) return;
        EXPECT_THAT(counted, testing::Not(HasSubstr(R"("ended": 0)")));
        EXPECT_FALSE(console.run("reverse-to 0:1234").ok());
        EXPECT_EQ(ask("section vmm.exit.port 16"), counted);
        EXPECT_TRUE(console.run("reverse-step 1").ok());
        EXPECT_NE(ask("section vmm.exit.port 16"), counted) << "they begin anew";
    });
}

TEST_P(Demo, WhoGoesBackToAHaltStandsInIt) {
    keep_history();
    const std::vector<std::string> waits{"run-to-event cpu.hlt begins", "run-to-event irq.0.isr begins"};
    std::string halted;
    std::size_t stops = 0;
    vmm.on_stop([&](const cpu::StopPoints::Found& found) {
        console.stopped(found);
        if (stops == 0) halted = ask("state vmm general");
        if (++stops < waits.size()) return (void)ask(waits[stops]);
        EXPECT_THAT(halted, HasSubstr("\nhalted 1\n"));
        EXPECT_TRUE(console.run("reverse-to-event cpu.hlt begins").ok());
        EXPECT_EQ(ask("state vmm general"), halted);
        ask("go");
    });
    ask(waits[0]);
    EXPECT_EQ(vmm.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    EXPECT_EQ(stops, 2U);
    std::size_t open = 0;
    for (const auto& event : seen.of("cpu.hlt")) {
        open += event.code == SLA_CODE_BEGIN ? 1 : -1;
        EXPECT_LE(open, 1U) << "each halt is told once";
    }
}

TEST_P(Demo, ASymbolThatIsNoneIsToldTheNearest) {
    symbol::Symbols symbols;
    ASSERT_TRUE(symbols.add("000fe05b T on_irq0\n000fe100 T handle_13\n", 0).ok());
    Console named(pc, vmm, &events, &symbols);
    EXPECT_THAT(named.run("run-to on_irq").error().message, HasSubstr("(did you mean 'on_irq0'?)"));
    EXPECT_THAT(named.run("x handel_13").error().message, HasSubstr("(did you mean 'handle_13'?)"));
    EXPECT_THAT(named.run("x zzz").error().message, testing::Not(HasSubstr("did you mean")));
}

TEST_P(Demo, ADebuggerHoldsTheGuestByItself) {
    keep_history();
    step(2, [this](int stops) {
        if (stops < 2) return;
        ASSERT_EQ(ask("go"), "");
        ASSERT_TRUE(console.step_back(10).ok());
        EXPECT_FALSE(console.paused()) << "a debugger's own";
        for (const char* line : {"pause", "go"}) {
            const auto done = console.run_standing(line);
            ASSERT_FALSE(done.ok()) << line;
            EXPECT_THAT(done.error().message, HasSubstr("here the debugger lets the guest run"));
        }
        EXPECT_FALSE(console.paused());
        EXPECT_THAT(ask("reverse-step 10"), HasSubstr("the guest stands at"));
        EXPECT_TRUE(console.paused()) << "who asked at the console";
    });
}

TEST_P(Demo, BehindALoadThereIsNoPast) {
    keep_history();
    std::string saved;
    step(6, [&](int stops) {
        if (stops == 3) {
            saved = console.report();
            EXPECT_THAT(ask("save " + file("a snapshot")), HasSubstr("saved to " + file("a snapshot")));
        }
        if (stops == 5) {
            EXPECT_EQ(ask("load " + file("a snapshot")), saved);
        }
        if (stops < 6) return;
        EXPECT_THAT(ask("reverse-step 60"), testing::Not(HasSubstr("as far back")));
        EXPECT_EQ(ask("reverse-step 60") + "\n", "error: that is as far back as the history goes\n" + saved);
        EXPECT_THAT(ask("history"), HasSubstr(": 1 states"));
    });
}

// By paging: the page table's own page.
TEST_P(Demo, AWriteThatTakesItsOwnMemoryAwaySaysHowFarItCame) {
    if (GetParam() == std::string_view("x86emu")) GTEST_SKIP() << "it has no paging";
    constexpr std::uint32_t kDirectory = 0x10000;
    constexpr std::uint32_t kTable = 0x11000;
    constexpr std::uint32_t kPresentAndWritable = 3;
    const auto put = [this](std::uint32_t at, std::uint32_t value) {
        for (unsigned i = 0; i < 4; ++i) pc.memory().at(at + i, 1)[0] = static_cast<std::uint8_t>(value >> (8 * i));
    };
    put(kDirectory, kTable | kPresentAndWritable);
    for (std::uint32_t page = 0; page < 512; ++page) put(kTable + 4 * page, page << 12 | kPresentAndWritable);
    cpu::X86State state = vmm.cpu().full_state();
    state.cr3 = kDirectory;
    state.cr0 |= 0x80000001;
    vmm.set_state(state);
    EXPECT_EQ(ask("write 0x11048 3 32"), "");
    EXPECT_THAT(ask("write 0x11044 0 0 0"),
                StartsWith("error: 1 of the 3 bytes are written: with them, paging shows no memory at 11045h any more"));
    EXPECT_EQ(pc.memory().at(0x11044, 1)[0], 0);
}

TEST_P(Demo, WhereThereIsNoMemoryThereIsNoCode) {
    const std::string none = ask("disassemble 0x300000 3");
    EXPECT_THAT(none, HasSubstr("  --\n"));
    EXPECT_EQ(std::count(none.begin(), none.end(), '\n'), 1);
    ASSERT_EQ(ask("write 0x1ffffe 90h 0b8h"), "");
    const std::string end = ask("disassemble 0x1ffffe 8");
    EXPECT_THAT(end, HasSubstr("nop\n"));
    EXPECT_THAT(end, HasSubstr("db 0xb8\n")) << "its other bytes are not there";
    EXPECT_EQ(std::count(end.begin(), end.end(), '\n'), 3);
}

TEST_P(Demo, CodeThatCsDoesNotReachIsShownByAnAddressOfRealMode) {
    EXPECT_THAT(ask("disassemble 0xffffe000 1"), StartsWith("f000:0000e000"));
    EXPECT_THAT(ask("disassemble 0xfe05b 1"), StartsWith("f000:0000e05b")) << "where CS begins behind the first far jump";
    EXPECT_THAT(ask("disassemble 0x12345 1"), StartsWith("1000:00002345"));
    EXPECT_THAT(ask("disassemble 0x100010 1"), StartsWith("ffff:00000020"));
    EXPECT_THAT(ask("disassemble f000:fff0 1"), StartsWith("f000:0000fff0"));
}

TEST_P(Demo, NoGuestStopsAtWhatIsDoneToItsRunFromOutside) {
    EXPECT_THAT(ask("stop-at cpu.history"), HasSubstr("error: cpu.history says what is done to the run from outside"));
    EXPECT_FALSE(events.armed());
}

TEST_P(Demo, CommandsThatTakeNothingTakeNothing) {
    EXPECT_EQ(ask("nmi 2"), "error: nmi takes no more words");
    EXPECT_EQ(ask("regs eax"), "error: regs takes no more words");
    EXPECT_EQ(ask("go 5"), "error: go takes no more words");
    EXPECT_EQ(ask("events 16"), "error: events takes no more words");
    EXPECT_THAT(ask("regs"), HasSubstr("eip"));
}

TEST_P(Demo, BehindALoadATriggerWaitsAnew) {
    const auto a = events.open("a", "");
    const auto b = events.open("b", "");
    ASSERT_THAT(ask("save " + file("snapshot")), HasSubstr("saved to "));
    ASSERT_EQ(ask("stop-at a then b"), "");
    events.plain(a, SLA_CODE_TICK, 0);
    ASSERT_THAT(ask("load " + file("snapshot")), HasSubstr("the guest stands at"));
    events.plain(b, SLA_CODE_TICK, 0);
    EXPECT_TRUE(events.armed()) << "the first of the two was before";
    events.plain(a, SLA_CODE_TICK, 0);
    events.plain(b, SLA_CODE_TICK, 0);
    EXPECT_FALSE(events.armed());
}

TEST_P(Demo, WhoeverGivesUpAWaitLeavesADebuggersStepAlone) {
    ASSERT_EQ(ask("run-to 0:1234"), "");
    const std::uint64_t debuggers = vmm.stop_points().step();
    console.give_up();
    EXPECT_TRUE(vmm.stop_points().stepping());
    ASSERT_EQ(ask("step 5"), "");
    console.give_up();
    EXPECT_TRUE(vmm.stop_points().stepping());
    vmm.stop_points().cancel_step(debuggers);
    EXPECT_FALSE(vmm.stop_points().stepping());
}

INSTANTIATE_TEST_SUITE_P(Cpu, Demo, testing::Values("x86emu", "unicorn"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::control
