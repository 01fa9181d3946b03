// What lanes are told where a run went back and went on otherwise, and where another run begins.
#include "emu/history/known_ground.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gmock/gmock.h>

namespace sla::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class KnownGrounds : public testing::Test {
protected:
    // As those do who make events.
    void put(sla_code code, std::uint64_t value = 0) {
        if (ground.listens(channel)) ground.plain(channel, code, value);
    }
    std::vector<sla_code> told() {
        std::vector<sla_code> codes;
        for (const auto& event : seen.events) codes.push_back(event.code);
        seen.events.clear();
        return codes;
    }
    // Goes back to where that was open, and makes its way again.
    template <typename Way>
    void go_back_to(const Course& kept, Way way) {
        ground.set_again(true);
        ground.set_course(kept);
        way();
        ground.set_again(false);
        ground.set_behind_the_front(true);
    }
    void do_something_else() {
        ground.set_behind_the_front(false);
        ground.leave_reported_course();
    }

    struct Lanes final : tap::RecordingSink {
        [[nodiscard]] bool listens(tap::ChannelId) const override { return is_there; }
        bool is_there = true;
    } seen;
    KnownGround ground{seen};
    tap::ChannelId channel = ground.open("irq.0.isr", "");
};

TEST_F(KnownGrounds, AChannelsFirstSpanIsOpenInBothCoursesWhereBothHaveIt) {
    ground.follow();
    const Course before = ground.course();
    put(SLA_CODE_BEGIN);
    EXPECT_THAT(told(), ElementsAre(SLA_CODE_BEGIN));
    go_back_to(before, [this] { put(SLA_CODE_BEGIN); });
    do_something_else();
    EXPECT_THAT(told(), IsEmpty()) << "it has begun, and goes on";
    put(SLA_CODE_END);
    EXPECT_THAT(told(), ElementsAre(SLA_CODE_END));
}

TEST_F(KnownGrounds, AChannelsFirstLevelIsKnownOnKnownGroundToo) {
    ground.follow();
    const Course before = ground.course();
    put(SLA_CODE_LEVEL, 1);
    put(SLA_CODE_LEVEL, 0);
    go_back_to(before, [this] { put(SLA_CODE_LEVEL, 1); });
    EXPECT_EQ(seen.events.size(), 2U);
    do_something_else();
    EXPECT_EQ(seen.events.back().value, 1U) << "as it stands where the guest goes on";
}

TEST_F(KnownGrounds, SpansAreTheSameOnesWhoeverListenedWhenTheyBegan) {
    ground.follow();
    const Course before = ground.course();
    seen.is_there = false;
    put(SLA_CODE_BEGIN);
    put(SLA_CODE_END);
    seen.is_there = true;
    put(SLA_CODE_BEGIN);
    told();
    go_back_to(before, [this] { put(SLA_CODE_BEGIN); });
    do_something_else();
    EXPECT_THAT(told(), ElementsAre(SLA_CODE_END, SLA_CODE_BEGIN_VALUE)) << "the second one ends, the first one is open";
}

TEST_F(KnownGrounds, WhereAnotherRunBeginsSpansThatAreOpenEndInARunWithoutHistoryToo) {
    put(SLA_CODE_BEGIN);
    put(SLA_CODE_BEGIN);
    told();
    ground.leave_course_for({});
    EXPECT_THAT(told(), ElementsAre(SLA_CODE_END, SLA_CODE_END));
    put(SLA_CODE_BEGIN);
    put(SLA_CODE_END);
    ground.leave_course_for({});
    EXPECT_THAT(told(), ElementsAre(SLA_CODE_BEGIN, SLA_CODE_END));
    seen.is_there = false;
    EXPECT_FALSE(ground.listens(channel)) << "and it costs nothing where nobody listens";
}

TEST_F(KnownGrounds, SpansThatAreOpenInASnapshotBeginOnTheLanesAndEndWithTheGuests) {
    ground.follow();
    ground.begin_open_span("irq.0.isr");
    EXPECT_THAT(told(), ElementsAre(SLA_CODE_BEGIN));
    const Course before = ground.course();
    ground.begin_open_span("irq.1.isr");
    EXPECT_EQ(seen.events.back().channel, "irq.1.isr");
    told();
    ground.plain(ground.open("irq.1.isr", ""), SLA_CODE_END, 0);
    EXPECT_EQ(seen.events.back().channel, "irq.1.isr");
    told();
    go_back_to(before, [this] { put(SLA_CODE_END); });
    do_something_else();
    EXPECT_THAT(told(), ElementsAre(SLA_CODE_END));
}

}  // namespace
}  // namespace sla::history
