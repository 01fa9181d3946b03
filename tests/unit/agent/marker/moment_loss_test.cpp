// Moments whose rings are full: what is lost, and that nothing is once there is space.
#include "tests/unit/agent/marker/agent_stub.h"
#include "tests/unit/agent/marker/moment_slots.h"
#include "tests/unit/agent/marker/own_process.h"

extern "C" {
#include "agent/marker/rings.h"
}

SLA_CHANNEL_WITH(full_ticks, "moment.full.ticks", "", SLA_DROP_NEWEST, 4);
SLA_CHANNEL_WITH(full_spans, "moment.full.spans", "", SLA_DROP_NEWEST, 4);

namespace sla {
namespace {

// A tick of one channel and a span of another, each with a ring of four slots that is full: three ticks and two spans were written.
std::vector<sla_event> fill_two_rings() {
    std::vector<sla_event> events{{full_ticks, SLA_CODE_TICK_VALUE, 7, 8, 9, SLA_WIDTH_PLAIN},
                                  {full_spans, SLA_CODE_BEGIN, 0, 0, 5, SLA_WIDTH_PLAIN},
                                  {full_spans, SLA_CODE_END, 0, 0, 0, SLA_WIDTH_WIDE}};
    record(events);
    record(events);
    record(events);
    record({events.front()});
    record({events.front()});
    return events;
}

void expect_losses(const sla_writer* writer, std::uint64_t lost, std::uint64_t first_tick, std::uint64_t last_tick) {
    EXPECT_EQ(writer->ring->lost, lost);
    EXPECT_EQ(writer->ring->lost_first_tick, first_tick);
    EXPECT_EQ(writer->ring->lost_last_tick, last_tick);
    EXPECT_EQ(writer->ring->head, 4U);
    EXPECT_EQ(writer->ring->reserve, 4U);
    EXPECT_EQ(writer->next, 4U);
    EXPECT_EQ(writer->taken, 0U);
}

TEST(MomentLossTest, OfFullRingsEachEventIsLostByOneStampAndTheFirstLossStands) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const std::vector<sla_event> events = fill_two_rings();
        const sla_writer* ticks = writer_of(full_ticks, SLA_WIDTH_WIDE);
        const sla_writer* spans = writer_of(full_spans, SLA_WIDTH_WIDE);
        const std::uint64_t first_tick = ticks->ring->lost_first_tick;
        const std::uint64_t first_span = spans->ring->lost_first_tick;
        const std::uint64_t before = sla_now();
        record(events);
        const std::uint64_t tick = ticks->ring->lost_last_tick;
        EXPECT_GE(tick, before);
        expect_losses(ticks, 2, first_tick, tick);
        expect_losses(spans, 4, first_span, tick + 2);
        record(events, tick + 1000);
        expect_losses(ticks, 3, first_tick, tick + 1000);
        expect_losses(spans, 6, first_span, tick + 1002);
    });
}

TEST(MomentLossTest, WhereOneRingHasSpaceAgainItSaysWhatItLostAndTheOtherGoesOnLosing) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const std::vector<sla_event> events = fill_two_rings();
        record(events);
        const sla_writer* ticks = writer_of(full_ticks, SLA_WIDTH_WIDE);
        const sla_writer* spans = writer_of(full_spans, SLA_WIDTH_WIDE);
        ticks->ring->tail = 4;  // its reader took all
        record(events);
        EXPECT_EQ(wide_at(full_ticks, 4).stamp >> SLA_TICK_BITS, std::uint64_t{SLA_CODE_GAP});
        EXPECT_EQ(wide_at(full_ticks, 4).value, 2U);
        EXPECT_EQ(wide_at(full_ticks, 5).stamp >> SLA_TICK_BITS, std::uint64_t{SLA_CODE_TICK_VALUE});
        EXPECT_EQ(spans->ring->lost, 6U);
        record(events);
        EXPECT_EQ(ticks->ring->head, 7U) << "a slot and a loss by one stamp";
        expect_losses(spans, 8, spans->ring->lost_first_tick, tick_of(wide_at(full_ticks, 6).stamp) + 2);
        spans->ring->tail = 1;
        record(events);
        EXPECT_EQ(spans->ring->head, 4U) << "no slot for the gap and another";
        EXPECT_EQ(spans->ring->lost, 10U);
        spans->ring->tail = 2;
        record(events);
        EXPECT_EQ(wide_at(full_spans, 4).value, 10U);
        EXPECT_EQ(wide_at(full_spans, 5).stamp >> SLA_TICK_BITS, std::uint64_t{SLA_CODE_BEGIN});
        EXPECT_EQ(spans->ring->lost, 11U) << "its end";
    });
}

TEST(MomentLossTest, AFullRingInWhosePlaceAnotherIsOfferedLosesNoMore) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const std::vector<sla_event> events = fill_two_rings();
        sla_ring_header* full = writer_of(full_ticks, SLA_WIDTH_WIDE)->ring;
        EXPECT_TRUE(sla_ring_goes_on_losing(full));
        full->successor |= 1;
        EXPECT_FALSE(sla_ring_goes_on_losing(full)) << "offered";
        full->successor &= ~std::uint64_t{1};
        full->most_bytes = std::uint64_t{64} << 20;
        EXPECT_FALSE(sla_ring_goes_on_losing(full)) << "there may be one in stock";
        full->most_bytes = 0;
        full->policy = SLA_OVERWRITE;
        EXPECT_FALSE(sla_ring_goes_on_losing(full));
        full->policy = SLA_DROP_NEWEST;
        full->tail = 2;
        EXPECT_FALSE(sla_ring_goes_on_losing(full)) << "space for the gap and an event";
    });
}

TEST(MomentLossTest, AHandlersMomentWhileItsThreadIsLosingOneGoesElsewhere) {
    in_own_process([] {
        AgentStub agent;
        agent.listen();
        const std::vector<sla_event> events = fill_two_rings();
        record(events);
        sla_thread_table_make(1);
        sla_writer* taken = sla_writer_of(full_ticks, SLA_WIDTH_WIDE, 0);
        taken->taken = sla_stack() + 4096;  // a frame further out, that lives
        taken->ring->reserve = 5;
        record(events);
        EXPECT_EQ(taken->ring->lost, 2U);
        EXPECT_EQ(taken->ring->reserve, 5U);
        EXPECT_EQ(sla_writer_of(full_ticks, SLA_WIDTH_WIDE, 1)->ring->head, 1U);
        EXPECT_EQ(writer_of(full_spans, SLA_WIDTH_WIDE)->ring->lost, 6U);
        EXPECT_EQ(writer_of(full_spans, SLA_WIDTH_WIDE)->taken, 0U);
        taken->taken = 0;
    });
}

}  // namespace
}  // namespace sla
