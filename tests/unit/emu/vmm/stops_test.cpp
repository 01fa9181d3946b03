// The guest stands still where it shall, on every CPU, and does not notice.
#include "tests/unit/emu/support/cpu_pc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sla::vmm {
namespace {

using Why = cpu::StopPoints::Why;

constexpr std::size_t kNoted = 22;
constexpr std::uint32_t kCalls = 0x700;  // counted by the guest's handler

class Stops : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        guest_.emplace(assembled_guest(SLA_GUEST_DIR, "stops"), GetParam());
        if (!guest_->missing.empty()) GTEST_SKIP() << guest_->missing;
        CpuPc plain(assembled_guest(SLA_GUEST_DIR, "stops"), GetParam());
        const Outcome end = plain.run();
        ASSERT_EQ(end.exit_code, 7) << end.message;
        expected_ = plain.noted(kNoted);
    }
    // The guest's run; at each stop it goes on, after `look`.
    template <typename Look>
    void run(Look look) {
        guest_->vmm.on_stop([&](const cpu::StopPoints::Found& found) {
            ++stops_;
            look(found);
            guest_->vmm.go_on();
        });
        const Outcome end = guest_->run();
        ASSERT_EQ(end.ending, Ending::kExit) << end.message;
        EXPECT_EQ(end.exit_code, 7);
        EXPECT_EQ(guest_->noted(kNoted), expected_) << "it noticed";
    }
    [[nodiscard]] std::uint8_t byte(std::uint32_t at) const { return *guest_->vmm.cpu().read_byte(at); }
    // Where the handler of a vector stands, once the guest has set it.
    [[nodiscard]] std::uint32_t handler(std::uint32_t vector) const {
        const auto word = [this](std::uint32_t at) { return byte(at) | std::uint32_t{byte(at + 1)} << 8; };
        return word(4 * vector + 2) * 16 + word(4 * vector);
    }

    std::optional<CpuPc> guest_;
    std::vector<unsigned> expected_;
    std::size_t stops_ = 0;
};

TEST_P(Stops, AGuestThatIsSteppedThroughDoesWhatItDoesAnyway) {
    std::set<std::uint32_t> seen;
    guest_->vmm.stop_points().step();
    run([&](const cpu::StopPoints::Found& found) {
        EXPECT_EQ(found.why, Why::kStep);
        seen.insert(guest_->vmm.linear_address());
        // Later the guest waits for its timer, whose interrupts wait for the end of a step by the host's clock.
        constexpr std::size_t kSteps = 90;
        if (stops_ < kSteps) guest_->vmm.stop_points().step();
    });
    EXPECT_GT(stops_, 80U);
    EXPECT_TRUE(seen.contains(handler(0x21))) << "into a handler of INT n";
    EXPECT_TRUE(seen.contains(0xFF004)) << "the third instruction: XOR and MOV are two bytes each";
}

TEST_P(Stops, ABreakpointAtAHandlerStopsBeforeItsFirstInstruction) {
    std::vector<std::uint32_t> calls_before;
    bool armed = false;
    guest_->vmm.stop_points().step(20);
    run([&](const cpu::StopPoints::Found& found) {
        if (!armed) {
            armed = true;
            guest_->vmm.stop_points().add_code(handler(0x21));
            guest_->vmm.stop_points().add_code(handler(0x08));
            return;
        }
        EXPECT_EQ(found.why, Why::kCode);
        EXPECT_EQ(guest_->vmm.linear_address(), found.address);
        if (found.address == handler(0x21)) calls_before.push_back(byte(kCalls));
    });
    EXPECT_EQ(calls_before, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(stops_, 4U) << "one to arm, one call, two interrupts of the timer";
}

TEST_P(Stops, AWatchedWordStopsBehindTheInstructionThatChangedIt) {
    guest_->vmm.stop_points().add_watch({kCalls, 2, false, true});
    guest_->vmm.go_on();
    std::vector<std::uint32_t> values;
    run([&](const cpu::StopPoints::Found& found) {
        EXPECT_EQ(found.why, Why::kData);
        EXPECT_EQ(found.address, kCalls);
        values.push_back(byte(kCalls));
        constexpr std::uint8_t kIret = 0xCF;
        EXPECT_EQ(byte(guest_->vmm.linear_address()), kIret) << "behind the INC";
    });
    EXPECT_EQ(values, (std::vector<std::uint32_t>{1}));
}

TEST(StopsByTheGuestsClock, NoTwoInstructionsBeginAtOneMoment) {
    for (const char* cpu : {"unicorn", "x86emu"}) {
        for (const char* guest : {"identity", "markers", "rdpmc", "halt_storm"}) {
            TestPc pc(assembled_guest(SLA_GUEST_DIR, guest), cpu);
            cpu::Moment last = -1;
            int stops = 0;
            pc.vmm.on_stop([&](const cpu::StopPoints::Found&) {
                EXPECT_GT(pc.vmm.place().moment, last) << cpu << " " << guest << " " << std::hex << pc.vmm.linear_address();
                last = pc.vmm.place().moment;
                if (++stops < 2000) pc.vmm.stop_points().step();
            });
            pc.vmm.stop_points().step();
            (void)pc.run(TestPc::kSecond / 100);
            EXPECT_GT(stops, 10) << guest;
        }
    }
}

TEST_P(Stops, AStopThatIsAskedForComesBeforeTheNextInstruction) {
    guest_->vmm.stop_points().ask();
    run([&](const cpu::StopPoints::Found& found) {
        EXPECT_EQ(found.why, Why::kAsked);
        EXPECT_EQ(guest_->vmm.linear_address(), 0xFFFFFFF0U);
    });
    EXPECT_EQ(stops_, 1U);
}

TEST_P(Stops, WithoutPointsNothingStops) {
    guest_->vmm.stop_points().add_code(0xFF000);
    guest_->vmm.stop_points().remove_code(0xFF000);
    run([](const cpu::StopPoints::Found&) {});
    EXPECT_EQ(stops_, 0U);
}

// Whenever somebody steps, also while an interrupt is on its way into the processor.
TEST_P(Stops, StepsAtAnyMomentLeaveNoTrapFlagBehind) {
    CpuPc pc(assembled_guest(SLA_GUEST_DIR, "traps"), GetParam());
    bool stopped = false;
    pc.vmm.on_stop([&](const cpu::StopPoints::Found&) { stopped = true; });
    pc.vmm.attend_with([&] {
        pc.stop.take_attention();
        pc.vmm.go_on();
        if (!std::exchange(stopped, false)) pc.vmm.stop_points().step();
    });
    std::atomic<bool> over{false};
    std::thread caller([&] {
        while (!over) {
            pc.stop.call_attention();
            std::this_thread::yield();
        }
    });
    const Outcome end = pc.run();
    over = true;
    caller.join();
    EXPECT_EQ(end.exit_code, 7) << end.message;
    EXPECT_EQ(pc.noted(1), (std::vector<unsigned>{0})) << "exceptions 1";
}

// What a debugger does to a run of the virtual clock: nothing that an event would show.
TEST(StopsOfX86emu, ARunThatWasStoppedAtEveryInstructionHasTheSameEventsAtTheSameTimes) {
    CpuPc plain(assembled_guest(SLA_GUEST_DIR, "stops"), "x86emu");
    ASSERT_EQ(plain.run().exit_code, 7);
    CpuPc stopped(assembled_guest(SLA_GUEST_DIR, "stops"), "x86emu");
    stopped.vmm.stop_points().step();
    stopped.vmm.on_stop([&](const cpu::StopPoints::Found&) {
        stopped.vmm.go_on();
        stopped.vmm.stop_points().step();
    });
    ASSERT_EQ(stopped.run().exit_code, 7);
    ASSERT_GT(plain.seen.events.size(), 50U);
    ASSERT_EQ(stopped.seen.events.size(), plain.seen.events.size());
    for (std::size_t i = 0; i < plain.seen.events.size(); ++i) {
        const auto& expected = plain.seen.events[i];
        const auto& event = stopped.seen.events[i];
        EXPECT_EQ(event.channel, expected.channel) << i;
        EXPECT_EQ(event.code, expected.code) << expected.channel;
        EXPECT_EQ(event.value, expected.value) << expected.channel;
        EXPECT_EQ(event.time, expected.time) << expected.channel;
    }
}

TEST(StopsOfX86emu, ReadsStopToo) {
    CpuPc pc(assembled_guest(SLA_GUEST_DIR, "stops"), "x86emu");
    pc.vmm.stop_points().add_watch({0x600, 1, true, false});
    std::size_t stops = 0;
    pc.vmm.on_stop([&](const cpu::StopPoints::Found& found) {
        ++stops;
        EXPECT_TRUE(found.read_only);
        pc.vmm.go_on();
    });
    EXPECT_EQ(pc.run().exit_code, 7);
    EXPECT_EQ(stops, 1U) << "the repeated move reads it";
}

INSTANTIATE_TEST_SUITE_P(Cpu, Stops, testing::Values("unicorn", "x86emu", "kvm"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::vmm
