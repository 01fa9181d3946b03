// Events of one moment: one stamp, their order, and what becomes of them where one has something in its way.
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/moment_slots.h"
#include "tests/unit/agent/marker/own_process.h"

#include <array>
#include <vector>

SLA_CHANNEL(request, "moment.request");
SLA_CHANNEL_WITH(work, "moment.work", "", SLA_DROP_NEWEST, 4);
SLA_CHANNEL_WITH(flight, "moment.flight", "", SLA_OVERWRITE, 4);

namespace sla {
namespace {

// A request, and a span that begins and ends with it: three rings.
const std::vector<sla_event>& three() {
    static const std::vector<sla_event> events{{request, SLA_CODE_TICK_VALUE, 7, 8, 9, SLA_WIDTH_PLAIN},
                                               {work, SLA_CODE_BEGIN, 0, 0, 5, SLA_WIDTH_PLAIN},
                                               {work, SLA_CODE_END, 0, 0, 0, SLA_WIDTH_PLAIN}};
    return events;
}

// The same, the span in one ring.
std::vector<sla_event> three_in_two_rings() {
    std::vector<sla_event> events = three();
    events.back().width = SLA_WIDTH_WIDE;
    return events;
}

TEST(MomentTest, ItsEventsHaveOneStampAndAreATickApart) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        record(three());  // makes their rings
        record(three());
        const std::uint64_t first = tick_of(wide_at(request, 1).stamp);
        EXPECT_EQ(wide_at(request, 1).value, 7U);
        EXPECT_EQ(wide_at(request, 1).detail[0], 8U);
        EXPECT_EQ(wide_at(request, 1).detail[1], 9U);
        EXPECT_EQ(wide_at(work, 1).stamp, std::uint64_t{SLA_CODE_BEGIN} << SLA_TICK_BITS | (first + 1));
        EXPECT_EQ(plain_at(work, 1).stamp, std::uint64_t{SLA_CODE_END} << SLA_TICK_BITS | (first + 2));
        for (const sla_writer* writer :
             {writer_of(request, SLA_WIDTH_WIDE), writer_of(work, SLA_WIDTH_WIDE), writer_of(work, SLA_WIDTH_PLAIN)}) {
            EXPECT_EQ(writer->ring->head, 2U);
            EXPECT_EQ(writer->ring->reserve, 2U);
            EXPECT_EQ(writer->taken, 0U);
        }
        record(three(), first + 1000);
        EXPECT_EQ(tick_of(plain_at(work, 2).stamp), first + 1002) << "a tick that the program gives";
        record({});
    });
}

// Of the second event's ring nothing is free: the first one is recorded all the same, by the time at which it is.
TEST(MomentTest, WhereARingIsFullItsEventIsLostAndCountedAndTheOthersAreThere) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        for (int i = 0; i < 4; ++i) record(three());
        const std::uint64_t before = sla_now();
        record(three());
        const sla_writer* begins = writer_of(work, SLA_WIDTH_WIDE);
        EXPECT_EQ(begins->ring->head, 4U);
        EXPECT_EQ(begins->ring->lost, 1U);
        EXPECT_EQ(begins->ring->reserve, 4U);
        EXPECT_EQ(writer_of(request, SLA_WIDTH_WIDE)->ring->head, 5U);
        EXPECT_GE(tick_of(wide_at(request, 4).stamp), before);
        EXPECT_EQ(writer_of(work, SLA_WIDTH_PLAIN)->ring->lost, 1U);
    });
}

// A handler's events, while the thread's marker is at the second writer.
TEST(MomentTest, WhereAWriterIsTakenNothingIsLostAndTheOtherIsLetGo) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        record(three());
        sla_thread_table_make(1);
        auto* taken = sla_writer_of(work, SLA_WIDTH_WIDE, 0);
        taken->taken = sla_stack() + 4096;  // a frame further out, that lives
        record(three());
        EXPECT_EQ(taken->ring->head, 1U);
        EXPECT_EQ(sla_writer_of(work, SLA_WIDTH_WIDE, 1)->ring->head, 1U);
        EXPECT_EQ(writer_of(request, SLA_WIDTH_WIDE)->ring->head, 2U);
        EXPECT_EQ(writer_of(request, SLA_WIDTH_WIDE)->taken, 0U);
        EXPECT_GT(tick_of(plain_at(work, 1).stamp), tick_of(wide_at(request, 1).stamp));
        taken->taken = 0;
    });
}

TEST(MomentTest, WhatIsHeldAndLetGoLeavesAFlightRecorderAsItWas) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        for (std::uint64_t i = 0; i < 4; ++i) record({{flight, SLA_CODE_TICK_VALUE, i, 1, 1, SLA_WIDTH_PLAIN}});
        const sla_slot_wide oldest = wide_at(flight, 0);
        const sla_event next{flight, SLA_CODE_TICK_VALUE, 99, 1, 1, SLA_WIDTH_PLAIN};
        sla_held held{};
        ASSERT_TRUE(sla_hold(&next, &held));
        EXPECT_EQ(held.ring->reserve, 5U) << "a reader takes the oldest one for torn";
        sla_let_go(&held);
        EXPECT_EQ(held.ring->reserve, 4U);
        EXPECT_EQ(wide_at(flight, 0).stamp, oldest.stamp);
        EXPECT_EQ(wide_at(flight, 0).value, oldest.value);
        record({next});
        EXPECT_EQ(wide_at(flight, 4).value, 99U);
    });
}

void expect_free(const sla_writer* writer, std::uint64_t events) {
    EXPECT_EQ(writer->ring->head, events);
    EXPECT_EQ(writer->ring->reserve, events);
    EXPECT_EQ(writer->next, events);
    EXPECT_EQ(writer->taken, 0U);
}

// Two rings for a span: the one with its ends was full, and a storm left 60,000 open.
TEST(MomentTest, ASpansEndWithoutDetailsGoesBehindItsBeginWhereItAsksFor) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        record(three_in_two_rings());  // makes their rings
        record(three_in_two_rings());
        const std::uint64_t first = tick_of(wide_at(request, 1).stamp);
        EXPECT_EQ(wide_at(work, 2).stamp, std::uint64_t{SLA_CODE_BEGIN} << SLA_TICK_BITS | (first + 1)) << "by one stamp";
        EXPECT_EQ(wide_at(work, 3).stamp, std::uint64_t{SLA_CODE_END} << SLA_TICK_BITS | (first + 2));
        EXPECT_EQ(wide_at(work, 3).detail[1], 0U);
        expect_free(writer_of(request, SLA_WIDTH_WIDE), 2);
        expect_free(writer_of(work, SLA_WIDTH_WIDE), 4);
        EXPECT_EQ(writer_of(work, SLA_WIDTH_PLAIN)->ring, nullptr) << "nothing went elsewhere";
        record(three_in_two_rings());
        EXPECT_EQ(writer_of(work, SLA_WIDTH_WIDE)->ring->lost, 2U) << "both ends";
        expect_free(writer_of(request, SLA_WIDTH_WIDE), 3);
    });
}

TEST(MomentTest, WhereOnlyOneOfTwoFitsTheFirstIsThereAndTheSecondIsCounted) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        record({three()[1]});
        record(three_in_two_rings());
        record(three_in_two_rings());
        const sla_writer* spans = writer_of(work, SLA_WIDTH_WIDE);
        EXPECT_EQ(wide_at(work, 3).stamp >> SLA_TICK_BITS, std::uint64_t{SLA_CODE_BEGIN});
        EXPECT_EQ(spans->ring->head, 4U);
        EXPECT_EQ(spans->ring->lost, 1U);
        EXPECT_EQ(spans->taken, 0U);
    });
}

TEST(MomentTest, WhatIsHeldBehindAnotherIsPublishedAndLetGoWithIt) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const std::vector<sla_event> span{three_in_two_rings()[1], three_in_two_rings()[2]};
        record(span);
        sla_writer* writer = sla_writer_of(work, SLA_WIDTH_WIDE, 0);
        std::array<sla_held, 2> held{};
        ASSERT_TRUE(sla_hold(&span[0], &held[0]));
        ASSERT_TRUE(sla_hold_behind(&held[0], &held[1]));
        EXPECT_EQ(writer->ring->reserve, 4U);
        sla_let_go(&held[0]);
        expect_free(writer, 2);
        ASSERT_TRUE(sla_hold(&span[0], &held[0]));
        ASSERT_TRUE(sla_hold_behind(&held[0], &held[1]));
        sla_fill(&span[0], &held[0], 1000);
        EXPECT_EQ(writer->ring->head, 2U) << "a handler's marker may not go between them";
        EXPECT_NE(writer->taken, 0U);
        sla_publish(&span[1], &held[1], 1001);
        expect_free(writer, 4);
        ASSERT_FALSE(sla_hold(&span[0], &held[0])) << "four slots";
    });
}

// Each once took the slow path, which looks at filters, and takes five times as long.
TEST(MomentTest, EventsWithATickNeedNotAskWhateverStampsTheOthers) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        record(three());
        EXPECT_EQ(sla_ready_writer(work, SLA_WIDTH_PLAIN), &work->own) << "the owner's plain events";
        EXPECT_EQ(sla_ready_writer(work, SLA_WIDTH_WIDE), writer_of(work, SLA_WIDTH_WIDE));
    });
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        sla_own_clock(1000);
        record(three(), 1000);
        EXPECT_EQ(sla_ready_writer(work, SLA_WIDTH_PLAIN), &work->own) << "a time of the program's own";
        EXPECT_EQ(sla_ready_writer(work, SLA_WIDTH_WIDE), writer_of(work, SLA_WIDTH_WIDE));
        EXPECT_GE(work->table, 0) << "inline code stamps with the TSC";
        record(three(), 2000);
        EXPECT_EQ(tick_of(plain_at(work, 1).stamp), 2002U);
        sla_own_clock(3000);
        record(three());
        EXPECT_EQ(tick_of(plain_at(work, 2).stamp), 3002U);
        SLA_TICK(work);
        sla_record_wide(work, SLA_CODE_TICK, 0, 1, 1);
        EXPECT_EQ(tick_of(plain_at(work, 3).stamp), 3000U);
        EXPECT_EQ(tick_of(wide_at(work, 3).stamp), 3000U);
    });
}

}  // namespace
}  // namespace sla
