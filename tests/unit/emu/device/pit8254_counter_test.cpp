#include "emu/device/timer/pit8254_counter.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::device {
namespace {

constexpr std::uint8_t kBoth = 0x30;
constexpr std::uint8_t kLowOnly = 0x10;
constexpr std::uint8_t kHighOnly = 0x20;

constexpr std::uint8_t control(std::uint8_t access, unsigned mode, bool bcd = false) {
    return static_cast<std::uint8_t>(access | mode << 1 | (bcd ? 1 : 0));
}

class CounterTest : public testing::Test {
protected:
    // Control word and count at tick 0: the counting element holds the count from tick 1 on.
    void program(unsigned mode, std::uint16_t count, bool bcd = false) {
        counter.write_control(0, control(kBoth, mode, bcd));
        counter.write_count(0, static_cast<std::uint8_t>(count));
        counter.write_count(0, static_cast<std::uint8_t>(count >> 8));
    }
    unsigned read_word(Pit8254Counter::Tick now) {
        counter.latch_count(now);
        const unsigned low = counter.read(now);
        return low | static_cast<unsigned>(counter.read(now)) << 8;
    }
    // The ticks of the next changes of the output.
    std::vector<Pit8254Counter::Tick> edges(Pit8254Counter::Tick from, std::size_t count) {
        std::vector<Pit8254Counter::Tick> found;
        for (auto edge = counter.next_edge(from); edge && found.size() < count; edge = counter.next_edge(*edge)) {
            EXPECT_NE(counter.output(*edge), counter.output(*edge - 1)) << "no change at " << *edge;
            found.push_back(*edge);
        }
        return found;
    }

    Pit8254Counter counter{true};
};

using Ticks = std::vector<Pit8254Counter::Tick>;

TEST_F(CounterTest, RaisesTheOutputOnceInMode0) {
    program(0, 10);
    EXPECT_FALSE(counter.output(0));
    EXPECT_FALSE(counter.output(10));
    EXPECT_TRUE(counter.output(11)) << "N + 1 ticks after the count was written";
    EXPECT_EQ(edges(0, 5), (Ticks{11}));
    EXPECT_EQ(read_word(4), 7U);
    EXPECT_EQ(read_word(12), 0xFFFFU) << "it goes on counting after terminal count";
}

TEST_F(CounterTest, StopsInMode0WhileTheGateIsLow) {
    program(0, 10);
    counter.set_gate(5, false);
    EXPECT_FALSE(counter.next_edge(100));
    EXPECT_EQ(read_word(1000), 6U);
    counter.set_gate(1000, true);
    EXPECT_EQ(edges(1000, 5), (Ticks{1006}));
}

TEST_F(CounterTest, MakesOneShotsInMode1WhenTheGateRises) {
    counter.set_gate(0, false);
    program(1, 4);
    EXPECT_TRUE(counter.output(50));
    counter.set_gate(100, true);
    EXPECT_EQ(edges(100, 5), (Ticks{101, 105}));
    counter.set_gate(103, false);
    counter.set_gate(104, true);
    EXPECT_EQ(edges(104, 5), (Ticks{109})) << "retriggered: low for N ticks more";
}

TEST_F(CounterTest, IsLowForTheLastTickOfEachPeriodInMode2) {
    program(2, 5);
    EXPECT_TRUE(counter.output(0));
    EXPECT_EQ(edges(0, 4), (Ticks{5, 6, 10, 11}));
    EXPECT_EQ(read_word(1), 5U);
    EXPECT_EQ(read_word(5), 1U);
    EXPECT_EQ(read_word(6), 5U);
}

TEST_F(CounterTest, TakesANewCountAtThePeriodsEndInMode2) {
    program(2, 10);
    counter.write_count(13, 4);
    counter.write_count(13, 0);
    counter.advance(20);
    EXPECT_EQ(edges(20, 1), (Ticks{21})) << "the period that began at 11 ends at 21";
    counter.advance(21);
    EXPECT_EQ(edges(21, 3), (Ticks{24, 25, 28}));
}

TEST_F(CounterTest, HoldsTheOutputHighWhileTheGateIsLowInMode2) {
    program(2, 5);
    counter.set_gate(5, false);
    EXPECT_TRUE(counter.output(5));
    EXPECT_FALSE(counter.next_edge(5));
    counter.set_gate(20, true);
    EXPECT_EQ(edges(20, 2), (Ticks{25, 26}));
}

TEST_F(CounterTest, MakesASquareWaveInMode3) {
    program(3, 6);
    EXPECT_EQ(edges(0, 4), (Ticks{4, 7, 10, 13}));
    EXPECT_EQ(read_word(1), 6U);
    EXPECT_EQ(read_word(2), 4U) << "two at a time";
    EXPECT_EQ(read_word(4), 6U);
}

TEST_F(CounterTest, IsHighForTheLargerHalfOfAnOddPeriodInMode3) {
    program(3, 5);
    EXPECT_EQ(edges(0, 4), (Ticks{4, 6, 9, 11}));
}

TEST_F(CounterTest, StrobesOnceInMode4) {
    program(4, 3);
    EXPECT_EQ(edges(0, 5), (Ticks{4, 5}));
}

TEST_F(CounterTest, StrobesAfterTheGateInMode5) {
    counter.set_gate(0, false);
    program(5, 3);
    EXPECT_TRUE(counter.output(10));
    EXPECT_FALSE(counter.next_edge(10));
    counter.set_gate(20, true);
    EXPECT_EQ(edges(20, 5), (Ticks{24, 25}));
}

TEST_F(CounterTest, TreatsModes6And7As2And3) {
    program(6, 5);
    EXPECT_EQ(edges(0, 2), (Ticks{5, 6}));
    program(7, 6);
    EXPECT_EQ(edges(0, 2), (Ticks{4, 7}));
}

TEST_F(CounterTest, TakesZeroAsTheLargestCount) {
    program(2, 0);
    EXPECT_EQ(edges(0, 2), (Ticks{65536, 65537}));
    program(2, 0, true);
    EXPECT_EQ(edges(0, 2), (Ticks{10000, 10001}));
}

TEST_F(CounterTest, CountsInDecimalWhenAskedTo) {
    program(0, 0x1000, true);
    EXPECT_EQ(read_word(2), 0x0999U);
    EXPECT_EQ(read_word(1000), 0x0001U);
}

TEST_F(CounterTest, HasNoEdgesWithACountOfOne) {
    program(2, 1);
    EXPECT_FALSE(counter.next_edge(10));
    program(3, 1);
    EXPECT_FALSE(counter.next_edge(10));
}

TEST_F(CounterTest, KeepsALatchedCountUntilItIsRead) {
    program(2, 1000);
    counter.latch_count(11);
    counter.latch_count(500);
    const unsigned low = counter.read(600);
    const unsigned word = low | static_cast<unsigned>(counter.read(700)) << 8;
    EXPECT_EQ(word, 990U);
    EXPECT_EQ(read_word(801), 200U);
}

TEST_F(CounterTest, ReadsAndWritesSingleBytesWhenToldTo) {
    counter.write_control(0, control(kLowOnly, 2));
    counter.write_count(0, 200);
    EXPECT_EQ(counter.read(1), 200);
    EXPECT_EQ(counter.read(2), 199);
    counter.write_control(10, control(kHighOnly, 2));
    counter.write_count(10, 2);
    EXPECT_EQ(edges(10, 1), (Ticks{10 + 512}));
    EXPECT_EQ(counter.read(11), 2);
}

TEST_F(CounterTest, ReportsModeOutputAndNullCountInItsStatus) {
    counter.write_control(0, control(kBoth, 3));
    counter.latch_status(0);
    EXPECT_EQ(counter.read(0), 0xC0 | 0x30 | 0x06) << "output high, no count yet";
    counter.write_count(0, 10);
    counter.write_count(0, 0);
    counter.latch_status(3);
    EXPECT_EQ(counter.read(3), 0x80 | 0x30 | 0x06);
    counter.latch_status(7);
    EXPECT_EQ(counter.read(7), 0x30 | 0x06) << "second half: low";
}

TEST_F(CounterTest, GivesTheStatusBeforeTheCountWhenBothAreLatched) {
    program(2, 100);
    counter.latch_count(1);
    counter.latch_status(1);
    EXPECT_EQ(counter.read(5), 0x80 | 0x30 | 0x04);
    EXPECT_EQ(counter.read(5), 100);
    EXPECT_EQ(counter.read(5), 0);
}

}  // namespace
}  // namespace sla::device
