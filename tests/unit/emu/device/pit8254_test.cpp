#include "emu/device/timer/pit8254.h"

#include "emu/machine/virtual_clock.h"

#include <gmock/gmock.h>

#include <vector>

namespace sla::device {
namespace {

using bus::Nanoseconds;
using bus::Width;
using testing::ElementsAre;

class Line final : public bus::IrqController {
public:
    explicit Line(const bus::Clock& clock) : clock_(clock) {}
    void set_irq(unsigned, bool high) override {
        if (high && !high_) rises.push_back(clock_.now());
        high_ = high;
    }
    std::vector<Nanoseconds> rises;

private:
    const bus::Clock& clock_;
    bool high_ = true;
};

class PitTest : public testing::Test {
protected:
    void write(std::uint16_t port, std::uint8_t value) { pit.write_port(port, Width::kByte, value); }
    unsigned read(std::uint16_t port) { return pit.read_port(port, Width::kByte); }
    void program(unsigned counter, unsigned mode, std::uint16_t count) {
        write(0x43, static_cast<std::uint8_t>(counter << 6 | 0x30 | mode << 1));
        write(static_cast<std::uint16_t>(0x40 + counter), static_cast<std::uint8_t>(count));
        write(static_cast<std::uint16_t>(0x40 + counter), static_cast<std::uint8_t>(count >> 8));
    }
    // From edge to edge, as a halted machine does it.
    void run_until(Nanoseconds end) {
        while (events.next_due() && *events.next_due() <= end) {
            clock.wait_until(*events.next_due());
            events.run_due();
        }
        clock.wait_until(end);
    }

    machine::VirtualClock clock;
    bus::EventQueue events{clock};
    Line line{clock};
    Pit8254 pit{events, bus::IrqLine(line, 0)};
};

TEST_F(PitTest, RaisesItsLineAtTheRateOfTheDivisor) {
    program(0, 2, 1193);
    line.rises.clear();
    run_until(1'000'000'000);
    EXPECT_EQ(line.rises.size(), 1000U) << "1000.15 a second";
}

TEST_F(PitTest, StaysExactOverAnHour) {
    program(0, 3, 0);
    line.rises.clear();
    run_until(3'600'000'000'000);
    // 3600 s * 105/88 MHz / 65536 = 65543.65 periods
    EXPECT_EQ(line.rises.size(), 65543U);
}

TEST_F(PitTest, FiresOnceInMode0) {
    program(0, 0, 100);
    line.rises.clear();
    run_until(10'000'000);
    EXPECT_THAT(line.rises, ElementsAre(Pit8254::kInput.time_of(101)));
}

TEST_F(PitTest, SkipsTheEdgesOfALongStandstill) {
    program(0, 2, 1193);
    line.rises.clear();
    clock.wait_until(10'000'000'000);
    int calls = 0;
    while (events.next_due() && *events.next_due() <= clock.now()) {
        events.run_due();
        ++calls;
    }
    EXPECT_LE(calls, 3);
    EXPECT_LE(line.rises.size(), 2U);
    line.rises.clear();
    run_until(11'000'000'000);
    EXPECT_NEAR(static_cast<double>(line.rises.size()), 1000, 1);
}

TEST_F(PitTest, LatchesSeveralCountersWithOneReadBack) {
    program(0, 2, 1000);
    program(1, 2, 2000);
    clock.wait_until(Pit8254::kInput.time_of(101));
    write(0x43, 0xC0 | 0x20 | 0x06 | 0x00);  // status only of counters 0 and 1
    EXPECT_EQ(read(0x40) & 0x3F, 0x34U);
    EXPECT_EQ(read(0x41) & 0x3F, 0x34U);
    write(0x43, 0xC0 | 0x10 | 0x06);  // counts only
    clock.wait_until(Pit8254::kInput.time_of(400));
    EXPECT_EQ(read(0x40) | read(0x40) << 8, 900U);
    EXPECT_EQ(read(0x41) | read(0x41) << 8, 1900U);
}

TEST_F(PitTest, ShowsTheModeAsItWasWritten) {
    write(0x43, 0x7D);  // counter 1, mode 6, BCD
    write(0x43, 0xE4);
    EXPECT_EQ(read(0x41) & 0x3F, 0x3DU);
}

TEST_F(PitTest, LetsCounter2RunOnlyBehindItsGate) {
    program(2, 0, 100);
    clock.wait_until(1'000'000);
    EXPECT_FALSE(pit.output(2));
    pit.set_gate(2, true);
    clock.wait_until(1'000'000 + Pit8254::kInput.time_of(102));
    EXPECT_TRUE(pit.output(2));
}

TEST_F(PitTest, SurvivesRandomWritesAndStillTicks) {
    std::uint32_t random = 4711;
    for (int i = 0; i < 100'000; ++i) {
        random = random * 1664525 + 1013904223;
        const auto port = static_cast<std::uint16_t>(0x40 + (random >> 8 & 3));
        if ((random >> 12 & 1) != 0) read(port);
        write(port, static_cast<std::uint8_t>(random >> 16));
        pit.set_gate(2, (random >> 13 & 1) != 0);
        clock.wait_until(clock.now() + (random >> 24));
        events.run_due();
    }
    program(0, 2, 1193);
    run_until(clock.now() + 5'000'000);
    line.rises.clear();
    run_until(clock.now() + 100'000'000);
    EXPECT_NEAR(static_cast<double>(line.rises.size()), 100, 1);
}

TEST(PitTime, MapsTicksToTheFirstNanosecondOfEach) {
    for (const Pit8254Counter::Tick tick : {0LL, 1LL, 2LL, 1193182LL, 123'456'789'012LL}) {
        EXPECT_EQ(Pit8254::kInput.ticks_at(Pit8254::kInput.time_of(tick)), tick);
        if (tick == 0) continue;
        EXPECT_EQ(Pit8254::kInput.ticks_at(Pit8254::kInput.time_of(tick) - 1), tick - 1);
    }
}

}  // namespace
}  // namespace sla::device
