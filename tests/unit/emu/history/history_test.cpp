// A run goes back to where it stood, exactly, on every CPU whose runs can be repeated.
#include "emu/history/history.h"
#include "emu/guest/demo_guest.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/virtual_clock.h"
#include "emu/snapshot/state_text.h"
#include "emu/snapshot/state_writer.h"
#include "emu/vmm/vmm.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gmock/gmock.h>

#include <deque>

namespace sla::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Why = cpu::StopPoints::Why;
using State = std::string;

constexpr bus::Nanoseconds kMillisecond = 1'000'000;
constexpr std::size_t kPlenty = std::size_t{64} << 20;

// The demonstration guest with a history.
struct Past {
    explicit Past(const char* cpu, std::size_t most_bytes = kPlenty) {
        EXPECT_TRUE(pc.memory().load_rom(guest::demo_guest(0)).ok());
        EXPECT_TRUE(vmm.plug_cpu(cpu).ok());
        subject.add([this](bus::StateVisitor& state) { vmm.visit_state(state); });
        history.emplace(vmm, subject, ground, most_bytes,
                        History::Listener{[this](const std::string& text) { said.push_back(text); }, [this] { ++courses; }});
        history->begin();
    }
    // Stops at each event whose turn it is; `look` lets it go on.
    template <typename Look>
    void run(bus::Nanoseconds limit, Look look) {
        vmm.on_stop([this, look](const cpu::StopPoints::Found& found) {
            look(found);
            vmm.go_on();
        });
        EXPECT_EQ(vmm.run(limit).ending, vmm::Ending::kTimeUp);
    }
    // All that the guest could find out, and all that its run depends on. How the library Unicorn holds the flags is its own.
    [[nodiscard]] State state() {
        snapshot::StateText shown;
        vmm.visit_state(shown);
        snapshot::StateWriter writer;
        vmm.visit_state(writer);
        State out = shown.text();
        for (const snapshot::Section& section : writer.sections()) {
            if (section.name != "unicorn") out.append(section.fields.begin(), section.fields.end());
        }
        for (const snapshot::MemoryView& memory : writer.memory()) out.append(memory.bytes.begin(), memory.bytes.end());
        return out;
    }
    [[nodiscard]] std::uint32_t linear() const { return vmm.linear_address(); }
    // Of the handler of the timer's interrupt.
    [[nodiscard]] std::uint32_t handler() const {
        const auto bytes = [this](std::uint32_t at) { return *vmm.cpu().read_byte(at) | *vmm.cpu().read_byte(at + 1) << 8; };
        return static_cast<std::uint32_t>(bytes(0x22) * 16 + bytes(0x20));
    }

    // As the lane has it.
    [[nodiscard]] int open_spans(const std::string& channel) const {
        int open = 0;
        for (const auto& event : seen.of(channel)) {
            open += event.code == SLA_CODE_BEGIN || event.code == SLA_CODE_BEGIN_VALUE ? 1 : 0;
            open -= event.code == SLA_CODE_END || event.code == SLA_CODE_END_VALUE ? 1 : 0;
        }
        return open;
    }

    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
    machine::StopSignal stop;
    tap::RecordingSink seen{&clock};
    KnownGround ground{seen};
    tap::Tap tap{ground};
    vmm::Vmm vmm{pc, tap, stop};
    snapshot::Subject subject;
    std::vector<std::string> said;
    int courses = 0;
    std::optional<History> history;
};

std::vector<std::string> reported(const tap::RecordingSink& seen) {
    std::vector<std::string> out;
    for (const auto& event : seen.events) {
        out.push_back(event.channel + " " + std::to_string(event.code) + " " + std::to_string(event.value) + " at " +
                      std::to_string(event.time) + event.text);
    }
    return out;
}

class Histories : public testing::TestWithParam<const char*> {};

TEST_P(Histories, EachStepBackIsThePlaceOfTheStepBefore) {
    Past past(GetParam());
    std::deque<State> stood;
    constexpr std::size_t kSteps = 60;
    past.vmm.stop_points().add_code(0xFFFFFFF0);
    bool back = false;
    past.run(5 * kMillisecond, [&](const cpu::StopPoints::Found& found) {
        past.vmm.stop_points().remove_code(0xFFFFFFF0);
        if (back) return;
        if (found.why == Why::kCode) past.vmm.stop_points().add_code(0xFFFFFFFF);
        stood.push_back(past.state());
        if (stood.size() < kSteps) return void(past.vmm.stop_points().step(37));
        back = true;
        for (std::size_t i = kSteps - 1; i > 0; --i) {
            const auto landed = past.history->step_back(37);
            ASSERT_TRUE(landed.ok()) << landed.error().message;
            ASSERT_EQ(*landed, History::Landing::kThere) << i;
            ASSERT_TRUE(past.state() == stood[i - 1]) << "the state of step " << i - 1;
        }
    });
    EXPECT_TRUE(back);
}

TEST_P(Histories, BackToABreakpointIsWhereItStoodWhenTheRunPassedUnstopped) {
    Past plain(GetParam());
    ASSERT_EQ(plain.vmm.run(12 * kMillisecond).ending, vmm::Ending::kTimeUp);
    Past past(GetParam());
    std::vector<State> stood;
    bool back = false;
    ASSERT_EQ(past.vmm.run(3 * kMillisecond).ending, vmm::Ending::kTimeUp);
    const std::uint32_t handler = past.handler();
    past.vmm.stop_points().add_code(handler);
    past.run(12 * kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (back) return;
        stood.push_back(past.state());
        if (stood.size() < 6) return;
        back = true;
        for (std::size_t i = 5; i > 0; --i) {
            const auto landed = past.history->back_to_point(History::Else::kToBeginning);
            ASSERT_TRUE(landed.ok()) << landed.error().message;
            EXPECT_EQ(past.linear(), handler);
            ASSERT_TRUE(past.state() == stood[i - 1]) << "hit " << i - 1;
        }
    });
    EXPECT_TRUE(back);
    EXPECT_EQ(reported(past.seen), reported(plain.seen)) << "nothing is told twice, nothing is missing";
    EXPECT_EQ(past.courses, 0);
    ASSERT_EQ(past.said.size(), 6U);
    EXPECT_THAT(past.said.front(), HasSubstr("went back from "));
    EXPECT_THAT(past.said.back(), HasSubstr("what follows is new"));
}

TEST_P(Histories, AGoingBackIsNotEndedByWhoOnlyWantsSomething) {
    Past past(GetParam());
    past.vmm.attend_with([&past] { past.stop.take_attention(); });
    bool back = false;
    past.vmm.stop_points().step(1000);
    past.run(kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (std::exchange(back, true)) return;
        past.stop.call_attention();
        const auto landed = past.history->step_back(500);
        ASSERT_TRUE(landed.ok()) << landed.error().message;
        EXPECT_EQ(*landed, History::Landing::kThere);
        EXPECT_TRUE(past.stop.attention()) << "who wants it gets it now";
        const State stood = past.state();
        {
            const machine::StopSignal::Interruption now(past.stop);
            const auto ended = past.history->step_back(100);
            ASSERT_FALSE(ended.ok());
            EXPECT_THAT(ended.error().message, HasSubstr("going back was interrupted"));
            EXPECT_TRUE(past.state() == stood);
        }
        EXPECT_TRUE(past.history->step_back(100).ok()) << "the interruption is over";
    });
    EXPECT_TRUE(back);
}

// The guest is told to take no more interrupts where it would have gone on into the handler, or out of it.
TEST_P(Histories, SpansOfACourseThatWasLeftEndAndThoseOfTheOtherOneBegin) {
    for (const bool is_inside : {false, true}) {
        Past past(GetParam());
        ASSERT_EQ(past.vmm.run(3 * kMillisecond).ending, vmm::Ending::kTimeUp);
        const std::uint32_t handler = past.handler();
        past.vmm.stop_points().add_code(handler);
        const auto open = [&] { return past.open_spans("irq.0.isr"); };
        int stops = 0;
        past.run(30 * kMillisecond, [&](const cpu::StopPoints::Found&) {
            ++stops;
            if (stops == 1 && is_inside) {  // on, out of the handler
                past.vmm.stop_points().remove_code(handler);
                return void(past.vmm.stop_points().step(400));
            }
            if (stops > (is_inside ? 2 : 1)) return;
            ASSERT_EQ(open(), is_inside ? 0 : 1);
            ASSERT_TRUE(past.history->step_back(is_inside ? 398 : 20).ok());
            EXPECT_EQ(open(), is_inside ? 0 : 1) << "it may go on as it did";
            past.history->changed("somebody wrote to memory");
            EXPECT_EQ(open(), is_inside ? 1 : 0) << "where the guest stands now";
            past.vmm.stop_points().remove_code(handler);
        });
        EXPECT_GT(stops, 0);
        EXPECT_LE(open(), 1) << "of what followed at most the last one is open";
        EXPECT_GE(open(), 0);
    }
}

TEST_P(Histories, BeyondTheBeginningItLandsThereAndSaysSo) {
    Past past(GetParam());
    bool back = false;
    past.vmm.stop_points().step(100);
    past.run(kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (std::exchange(back, true)) return;
        const auto landed = past.history->step_back(1000);
        ASSERT_TRUE(landed.ok()) << landed.error().message;
        EXPECT_EQ(*landed, History::Landing::kBeginning);
        EXPECT_EQ(past.linear(), 0xFFFFFFF0U);
        EXPECT_EQ(past.clock.now(), 0);
    });
    EXPECT_TRUE(back);
    EXPECT_FALSE(past.history->step_back(0).ok());
}

TEST_P(Histories, AnEventThatNeverHappenedLeavesTheGuestWhereItStands) {
    Past past(GetParam());
    bool back = false;
    past.vmm.stop_points().step(100);
    past.run(kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (std::exchange(back, true)) return;
        const State stood = past.state();
        const auto landed = past.history->back_to_event([](cpu::Repeat&) { return Result<void>(); });
        ASSERT_FALSE(landed.ok());
        EXPECT_THAT(landed.error().message,
                    HasSubstr("it did not happen between 0.000000 ms, where the history begins, and "));
        EXPECT_TRUE(past.state() == stood);
    });
    EXPECT_TRUE(back);
    EXPECT_TRUE(past.said.empty());
}

TEST_P(Histories, WhatWasChangedFromOutsideComesNoSecondTimeAndIsNotCrossed) {
    Past past(GetParam());
    std::vector<State> stood;
    past.vmm.stop_points().step(100);
    past.run(kMillisecond, [&](const cpu::StopPoints::Found&) {
        stood.push_back(past.state());
        if (stood.size() == 2) {
            ASSERT_TRUE(past.vmm.write_byte(0x7F0, 0x5A));
            past.history->changed("an operator wrote to memory");
            stood.back() = past.state();
        }
        if (stood.size() < 4) return void(past.vmm.stop_points().step(100));
        if (stood.size() > 4) return;
        const auto to_change = past.history->step_back(200);
        ASSERT_TRUE(to_change.ok()) << to_change.error().message;
        EXPECT_TRUE(past.state() == stood[1]) << "behind the change, where it was made";
        ASSERT_TRUE(past.history->step_back(100).ok());
        EXPECT_TRUE(past.state() == stood[0]) << "before it";
        EXPECT_EQ(*past.vmm.cpu().read_byte(0x7F0), 0);
        EXPECT_THAT(past.history->report(), HasSubstr("an operator wrote to memory"));
        EXPECT_EQ(past.courses, 0);
        past.history->changed("somebody else did");
        EXPECT_EQ(past.courses, 1) << "another future begins";
        EXPECT_THAT(past.said.back(), HasSubstr("another run from "));
        EXPECT_THAT(past.history->report(), testing::Not(HasSubstr("an operator wrote to memory")));
    });
    EXPECT_GE(stood.size(), 4U);
}

// The change stopped the timer's interrupt: without it the guest is interrupted, which is new.
TEST_P(Histories, WithoutAChangeThatItWentBackOverAnotherRunIsReported) {
    Past past(GetParam());
    ASSERT_EQ(past.vmm.run(3 * kMillisecond).ending, vmm::Ending::kTimeUp);
    int stops = 0;
    past.vmm.stop_points().step(100);
    past.run(60 * kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (++stops == 1) return void(past.vmm.stop_points().step(100));
        if (stops == 2) {
            past.pc.ports().write(0x21, bus::Width::kByte, 0xFF);
            past.history->changed("all interrupts were masked");
            return void(past.vmm.stop_points().step(100));
        }
        if (stops > 3) return;
        ASSERT_TRUE(past.history->step_back(150).ok());
        EXPECT_EQ(past.courses, 0) << "it has not come to the change";
    });
    EXPECT_EQ(stops, 3);
    EXPECT_EQ(past.courses, 1);
    EXPECT_THAT(past.said.back(), HasSubstr("this does not come again: all interrupts were masked"));
    EXPECT_THAT(past.history->report(), testing::Not(HasSubstr("all interrupts were masked")));
    EXPECT_GE(past.open_spans("irq.0.isr"), 0);
    EXPECT_LE(past.open_spans("irq.0.isr"), 1);
}

// A timer that is set while the guest stands goes off at its time, also when the run is made again from there.
TEST_P(Histories, WhatAChangeBringsAboutComesAgainWhenItCame) {
    Past past(GetParam());
    const auto write = [&past](std::uint32_t at, std::initializer_list<std::uint8_t> bytes) {
        for (const std::uint8_t byte : bytes) ASSERT_TRUE(past.vmm.write_byte(at++, byte));
    };
    const auto out = [&past](std::uint16_t port, std::initializer_list<unsigned> values) {
        for (const unsigned value : values) past.pc.ports().write(port, bus::Width::kByte, value);
    };
    for (const std::uint32_t at : {0xFFFFFFF0U, 0xFFFF0U})
        write(at, {0xFB, 0xEB, 0xFE});             // STI, a jump to itself; as IRET loads CS
    write(8 * 4, {0x00, 0x06, 0x00, 0x00});        // IRQ 0
    write(0x600, {0xFF, 0x06, 0x00, 0x07, 0xCF});  // INC word [700h], IRET
    out(0x20, {0x11});
    out(0x21, {0x08, 0x04, 0x01, 0xFE});
    past.history->changed("a loop with a handler");
    std::vector<State> stood;
    past.vmm.stop_points().step(50);
    past.run(20 * kMillisecond, [&](const cpu::StopPoints::Found&) {
        stood.push_back(past.state());
        if (stood.size() == 1) {
            out(0x43, {0x30});
            out(0x40, {100, 0});
            past.history->changed("the timer was set");
            return void(past.vmm.stop_points().step(30'000));
        }
        if (stood.size() == 2) return void(past.vmm.stop_points().step(100));
        if (stood.size() > 3) return;
        EXPECT_EQ(*past.vmm.cpu().read_byte(0x700), 1) << "behind 84 us";
        const auto landed = past.history->step_back(100);
        ASSERT_TRUE(landed.ok()) << landed.error().message;
        EXPECT_TRUE(past.state() == stood[1]);
    });
    EXPECT_GE(stood.size(), 3U);
}

TEST_P(Histories, WhatCameInWhileItRanIsNotGoneBackOver) {
    Past past(GetParam());
    int stops = 0;
    past.vmm.stop_points().step(100);
    past.run(40 * kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (++stops == 1) {
            past.history->came_in("a byte of com1");
            return void(past.vmm.stop_points().step(100'000));
        }
        if (stops > 2) return;
        const State stood = past.state();
        const auto landed = past.history->step_back(99'990);
        ASSERT_FALSE(landed.ok());
        EXPECT_THAT(landed.error().message, HasSubstr("it cannot go back over "));
        EXPECT_THAT(landed.error().message, HasSubstr(": a byte of com1"));
        EXPECT_TRUE(past.state() == stood);
    });
    EXPECT_GE(stops, 2);
}

TEST_P(Histories, WhatCameInBehindTheNewFutureIsNotOfIt) {
    Past past(GetParam());
    int stops = 0;
    past.vmm.stop_points().step(100);
    past.run(100 * kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (++stops > 1) return;
        past.history->came_in("a byte of com1");
        ASSERT_TRUE(past.history->step_back(50).ok());
        past.history->changed("somebody wrote to memory");
    });
    EXPECT_EQ(stops, 1);
    EXPECT_THAT(past.history->report(), HasSubstr("somebody wrote to memory"));
    EXPECT_THAT(past.history->report(), testing::Not(HasSubstr("a byte of com1")));
}

// A guest that is never idle, so that there is a state to keep at each look.
TEST_P(Histories, AnotherFutureIsKeptAlongItsWayToo) {
    const auto states = [](const Past& past) {
        const std::string report = past.history->report();
        return std::stoi(report.substr(report.find(": ") + 2));
    };
    Past past(GetParam());
    ASSERT_TRUE(past.vmm.write_byte(0xFFFFFFF0, 0xEB));
    ASSERT_TRUE(past.vmm.write_byte(0xFFFFFFF1, 0xFE));  // jump to itself
    past.history->changed("a loop");
    ASSERT_EQ(past.vmm.run(70 * kMillisecond).ending, vmm::Ending::kTimeUp);
    const int once = states(past);
    ASSERT_GE(once, 3);
    bool back = false;
    past.vmm.stop_points().ask();
    past.run(140 * kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (std::exchange(back, true)) return;
        ASSERT_TRUE(past.history->back_to_point(History::Else::kToBeginning).ok());
        past.history->changed("nothing");
    });
    EXPECT_TRUE(back);
    EXPECT_GE(states(past), 2 * once - 2);
}

TEST_P(Histories, WithLittleMemoryItStillGetsEverywhereBehindItsOldestState) {
    Past past(GetParam(), 200'000);
    ASSERT_EQ(past.vmm.run(300 * kMillisecond).ending, vmm::Ending::kTimeUp);
    bool back = false;
    State stood;
    past.vmm.stop_points().step(10);
    past.run(302 * kMillisecond, [&](const cpu::StopPoints::Found&) {
        if (std::exchange(back, true)) return;
        stood = past.state();
        ASSERT_TRUE(past.history->step_back(3).ok());
        EXPECT_FALSE(past.state() == stood);
    });
    EXPECT_TRUE(back);
    EXPECT_THAT(past.history->report(), HasSubstr("states in 0."));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Histories, testing::Values("x86emu", "unicorn"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::history
