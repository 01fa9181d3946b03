#include "emu/bus/event_queue.h"

#include "emu/machine/virtual_clock.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace sla::bus {
namespace {

using testing::ElementsAre;

class EventQueueTest : public testing::Test {
protected:
    EventQueue::TimerId logging(const std::string& name) {
        return queue.add_timer([this, name](Nanoseconds due) { log.push_back(name + "@" + std::to_string(due)); });
    }

    machine::VirtualClock clock;
    EventQueue queue{clock};
    std::vector<std::string> log;
};

TEST_F(EventQueueTest, RunsWhatIsDueEarliestFirst) {
    const auto a = logging("a");
    const auto b = logging("b");
    const auto c = logging("c");
    queue.arm(a, 300);
    queue.arm(b, 100);
    queue.arm(c, 500);
    EXPECT_EQ(queue.next_due(), 100);
    clock.wait_until(300);
    queue.run_due();
    EXPECT_THAT(log, ElementsAre("b@100", "a@300"));
    EXPECT_EQ(queue.next_due(), 500);
}

TEST_F(EventQueueTest, KeepsTheOrderOfMakingForEqualTimes) {
    const auto a = logging("a");
    const auto b = logging("b");
    queue.arm(b, 10);
    queue.arm(a, 10);
    clock.wait_until(10);
    queue.run_due();
    EXPECT_THAT(log, ElementsAre("a@10", "b@10"));
}

TEST_F(EventQueueTest, ForgetsADisarmedTimer) {
    const auto a = logging("a");
    queue.arm(a, 10);
    queue.disarm(a);
    EXPECT_FALSE(queue.next_due());
    clock.wait_until(100);
    queue.run_due();
    EXPECT_TRUE(log.empty());
}

TEST_F(EventQueueTest, SaysWhichInterruptLinesArmedTimersMayRaise) {
    const auto timer = queue.add_timer([](Nanoseconds) {}, irq_line_bit(8));
    const auto other = queue.add_timer([](Nanoseconds) {}, irq_line_bit(0) | kLapicTimer);
    EXPECT_EQ(queue.armed_lines(), 0U);
    queue.arm(timer, 10);
    EXPECT_EQ(queue.armed_lines(), 0x100U);
    queue.arm(other, 20);
    EXPECT_EQ(queue.armed_lines(), 0x10101U);
    clock.wait_until(15);
    queue.run_due();
    EXPECT_EQ(queue.armed_lines(), 0x10001U) << "one that went off is armed no more";
    queue.arm(queue.add_timer([](Nanoseconds) {}), 30);
    EXPECT_EQ(queue.armed_lines(), 0x1FFFFU) << "one that does not say may raise any";
}

TEST_F(EventQueueTest, ReturnsEvenWhenATimerArmsItselfForThePast) {
    int runs = 0;
    EventQueue::TimerId timer = 0;
    timer = queue.add_timer([&](Nanoseconds due) {
        ++runs;
        queue.arm(timer, due);
    });
    queue.arm(timer, 1);
    clock.wait_until(50);
    queue.run_due();
    EXPECT_EQ(runs, 1);
    queue.run_due();
    EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace sla::bus
