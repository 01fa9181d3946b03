#include "agent/drain/program_drain.h"

#include "tests/support/test_segment.h"
#include "tests/unit/agent/drain/drained_names.h"

#include <gtest/gtest.h>

namespace sla::drain {
namespace {

using support::TestSegment;
using support::TestWriter;

TEST(ProgramDrain, FindsChannelsAndRingsAsTheyAppear) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    EXPECT_EQ(drain.step(at_present()).taken, 0u);
    std::uint32_t first = segment.add_ring(segment.add_channel("a"), 16);
    {
        TestWriter writer(segment, first);
        for (int i = 0; i < 5; i++) SLA_TICK(writer.channel());
    }
    EXPECT_EQ(drain.step(at_present()).taken, 5u);
    EXPECT_EQ(waiting(names.channels["a"]), 5u);
}

TEST(ProgramDrain, RingsThatWaitAreLookedAtWhenTheProgramHasOpenedOne) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    const std::uint32_t number = segment.add_ring(segment.add_channel("a"), 16);
    segment.ring(number).state = SLA_RING_CLAIMED;
    segment.header().rings_opened = 1;
    drain.step(at_present());
    segment.ring(number).state = SLA_RING_LIVE;
    drain.step(at_present());
    EXPECT_EQ(drain.ring_count(), 0u) << "the program has not counted it yet, so no event of it is stamped";
    segment.header().rings_opened = 2;
    drain.step(at_present());
    EXPECT_EQ(drain.ring_count(), 1u);
}

TEST(ProgramDrain, AProgramThatNeverCountsItsRingsIsLookedAtNowAndThenAndAtItsEnd) {
    for (const bool ends : {false, true}) {
        TestSegment segment;
        auto program = std::make_shared<source::Program>(segment.view());
        Names names;
        ProgramDrain drain(program, names);
        const std::uint32_t number = segment.add_ring(segment.add_channel("a"), 16);
        segment.ring(number).state = SLA_RING_CLAIMED;
        segment.header().rings_opened = 1;
        drain.step(at_present());
        segment.ring(number).state = SLA_RING_LIVE;
        {
            TestWriter writer(segment, number);
            for (int i = 0; i < 5; i++) SLA_TICK(writer.channel());
        }
        program->ended = ends;
        std::size_t taken = 0;
        for (int step = 0; step < (ends ? 1 : 512); step++) taken += drain.step(at_present()).taken;
        EXPECT_EQ(taken, 5u);
    }
}

TEST(ProgramDrain, AProgramWhoseRingTookAnothersPlaceIsNotifiedToLookAtItsStock) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    int notified = 0;
    program->notify_controls = [&] { notified++; };
    Names names;
    ProgramDrain drain(program, names);
    const std::uint32_t channel = segment.add_channel("a");
    segment.add_ring(channel, 16);
    drain.step(at_present());
    EXPECT_EQ(notified, 0);
    segment.ring(segment.add_ring(channel, 16)).follows = 1;
    drain.step(at_present());
    drain.step(at_present());
    EXPECT_EQ(notified, 1);
}

TEST(ProgramDrain, AClosedRingIsGivenBackOnceItIsEmpty) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    std::uint32_t number = segment.add_ring(segment.add_channel("a"), 16);
    {
        TestWriter writer(segment, number);
        SLA_TICK(writer.channel());
    }
    segment.ring(number).state = SLA_RING_CLOSED;
    drain.step(at_present());
    EXPECT_EQ(segment.ring(number).state, static_cast<std::uint32_t>(SLA_RING_FREE));
    EXPECT_EQ(drain.ring_count(), 0u);
    EXPECT_EQ(waiting(names.channels["a"]), 1u);
}

TEST(ProgramDrain, OfManyRingsWithoutNewsTheOneThatIsClosedIsGivenBackSoon) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    std::vector<std::uint32_t> rings;
    for (int i = 0; i < 40; i++) rings.push_back(segment.add_ring(segment.add_channel("c" + std::to_string(i)), 16));
    drain.step(at_present());
    ASSERT_EQ(drain.ring_count(), 40u);
    segment.ring(rings[17]).state = SLA_RING_CLOSED;
    segment.ring(rings[39]).state = SLA_RING_CLOSED;
    for (int step = 0; step < 16; step++) drain.step(at_present());
    EXPECT_EQ(drain.ring_count(), 38u);
    EXPECT_EQ(segment.ring(rings[17]).state, static_cast<std::uint32_t>(SLA_RING_FREE));
    {
        TestWriter writer(segment, rings[38]);
        SLA_TICK(writer.channel());
    }
    const ProgramDrain::Step step = drain.step(at_present());
    EXPECT_EQ(step.taken, 1u) << "of the ring behind the one that went";
    EXPECT_EQ(step.rings, 38u);
    EXPECT_EQ(step.busy_rings, 1u);
}

// A marker that is inside, and losses without any slot behind them, are news.
TEST(ProgramDrain, ARingWithoutNewSlotsMayHaveNews) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    const std::uint32_t number = segment.add_ring(segment.add_channel("a"), 16);
    drain.step(at_present());
    sla_ring_header& ring = segment.ring(number);
    ring.reserve = ring.head + 1;
    const StepClock now = at_present();
    EXPECT_LT(drain.step(now).bound, now.before(kStoreBufferTicks)) << "its stamp may be older";
    ring.reserve = ring.head;
    ring.lost = 3;
    ring.lost_first_tick = ring.lost_last_tick = now.now();
    drain.step(at_present());
    EXPECT_EQ(names.channels["a"].ledger.lost(), 3u);
}

TEST(ProgramDrain, ADeadProgramIsFinishedEvenInTheMiddleOfAMarker) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    std::uint32_t number = segment.add_ring(segment.add_channel("a"), 16);
    {
        TestWriter writer(segment, number);
        SLA_TICK(writer.channel());
    }
    segment.ring(number).reserve = 2;
    program->ended = true;
    const StepClock clock = at_present();
    ProgramDrain::Step step = drain.step(clock);
    EXPECT_TRUE(step.finished);
    EXPECT_EQ(step.bound, clock.before(kStoreBufferTicks)) << "nobody waits for the dead";
    EXPECT_EQ(waiting(names.channels["a"]), 1u);
}

TEST(ProgramDrain, EventsThatFoundNoRingAreAccountedForOnTheirChannel) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    std::uint32_t index = segment.add_channel("a");
    sla_channel_descriptor& descriptor = segment.descriptor(index);
    descriptor.lost_no_ring = 41;
    descriptor.lost_first_tick = 500;
    segment.header().lost_no_channel = 3;
    program->ended = true;
    drain.step(at_present());
    EXPECT_EQ(names.channels["a"].ledger.no_ring, 41u);
    EXPECT_EQ(names.channels["sla.too-many-channels"].ledger.no_ring, 3u);
    EXPECT_EQ(names.notices.size(), 1u);
    drain.step(at_present());
    EXPECT_EQ(names.channels["a"].ledger.no_ring, 41u) << "booked once";
}

TEST(ProgramDrain, EventsOfChannelsThatCouldNotBeRegisteredAreNotSaidToBeOfTooMany) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    segment.header().lost_unregistered = 3;
    segment.header().unregistered_first_tick = 500;
    segment.header().unregistered_last_tick = 700;
    segment.header().lost_without_ring = 3;
    program->ended = true;
    drain.step(at_present());
    drain.step(at_present());
    EXPECT_EQ(names.channels["sla.unregistered"].ledger.no_ring, 3u);
    EXPECT_EQ(names.channels.count("sla.too-many-channels"), 0u);
    ASSERT_EQ(names.notices.size(), 1u);
    EXPECT_EQ(names.notices[0].find("4096"), std::string::npos) << names.notices[0];
    EXPECT_EQ(segment.header().lost_unregistered_accounted, 3u) << "for an agent to come";
}

TEST(ProgramDrain, WhatAChannelLostThatWasOffAllTheWhileIsTurnedAway) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    const std::uint32_t index = segment.add_channel("a");
    sla_channel_descriptor& descriptor = segment.descriptor(index);
    names.channels["a"].is_off = true;
    descriptor.lost_no_ring = 41;
    segment.header().lost_without_ring = 41;
    drain.step(at_present());
    EXPECT_EQ(names.channels["a"].ledger.lost(), 0u);
    EXPECT_EQ(names.channels["a"].ledger.filtered, 41u);
    EXPECT_EQ(waiting(names.channels["a"]), 0u) << "no gap";
    names.channels["a"].is_off = false;
    descriptor.lost_no_ring = 42;
    segment.header().lost_without_ring = 42;
    drain.step(at_present());
    EXPECT_EQ(names.channels["a"].ledger.no_ring, 1u);
}

TEST(ProgramDrain, LossesWithoutChannelAreAccountedForOnceByAllAgentsTogether) {
    TestSegment segment;
    segment.header().lost_no_channel = 3;
    for (int agent = 0; agent < 2; agent++) {
        auto program = std::make_shared<source::Program>(segment.view());
        Names names;
        ProgramDrain drain(program, names);
        program->ended = true;
        drain.step(at_present());
        EXPECT_EQ(names.channels["sla.too-many-channels"].ledger.no_ring, agent == 0 ? 3u : 0u);
    }
    segment.header().lost_no_channel = 5;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    program->ended = true;
    drain.step(at_present());
    EXPECT_EQ(names.channels["sla.too-many-channels"].ledger.no_ring, 2u);
}

TEST(ProgramDrain, ALossWithoutRingLiesExactlyWhereItHappened) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    const std::uint32_t index = segment.add_channel("a");
    sla_channel_descriptor& descriptor = segment.descriptor(index);
    const auto lose = [&](std::uint64_t from, std::uint64_t until) {
        descriptor.lost_first_tick = from;
        descriptor.lost_last_tick = until;
        descriptor.lost_no_ring += 7;
        segment.header().lost_without_ring += 7;
    };
    lose(500, 700);
    drain.step(StepClock(1000));
    EXPECT_EQ(descriptor.lost_first_tick, 0u) << "the next loss puts its own tick there";
    lose(1100, 1200);
    drain.step(StepClock(2000));
    lose(2100, 2100);
    drain.step(StepClock(3000));
    const wire::EventBatch out = all_of(names.channels["a"]);
    EXPECT_EQ(out.ticks, (std::vector<std::uint64_t>{500, 1100, 2100})) << "in the step after it";
    ASSERT_EQ(out.extras.size(), 3u);
    EXPECT_EQ(out.extras[0].until_tick, 700u);
    EXPECT_EQ(out.extras[1].until_tick, 1200u);
    EXPECT_EQ(out.extras[2].until_tick, 2101u) << "a single one, and its end is known";
}

TEST(ProgramDrain, ALossWithoutRingThatTheProgramPutsIntoTheFutureIsDelivered) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    std::uint32_t index = segment.add_channel("a");
    sla_channel_descriptor& descriptor = segment.descriptor(index);
    descriptor.lost_no_ring = 41;
    descriptor.lost_first_tick = SLA_TICK_MASK - 1;
    program->ended = true;
    const StepClock clock = at_present();
    drain.step(clock);
    const DrainedChannel& channel = names.channels["a"];
    ASSERT_EQ(channel.runs.size(), 1u);
    EXPECT_EQ(channel.runs[0]->count_up_to(clock.latest()), 1u);
}

TEST(ProgramDrain, ABrokenRingIsLeftAloneAndTheOthersGoOn) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    std::uint32_t channel = segment.add_channel("a");
    std::uint32_t broken = segment.add_ring(channel, 16);
    std::uint32_t good = segment.add_ring(channel, 16);
    drain.step(at_present());
    segment.ring(broken).head = 1'000'000;
    {
        TestWriter writer(segment, good);
        SLA_TICK(writer.channel());
    }
    EXPECT_EQ(drain.step(at_present()).taken, 1u);
    EXPECT_EQ(names.notices.size(), 1u);
    drain.step(at_present());
    EXPECT_EQ(names.notices.size(), 1u) << "told once";
}

TEST(ProgramDrain, AProgramThatWritesGarbageOverItsRingsIsLeftAloneAfterAFew) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    segment.add_channel("a");
    segment.header().ring_count = SLA_MAX_RINGS;
    for (std::uint32_t number = 0; number < 2000; number++) segment.ring(number).state = 0x55555555;
    ProgramDrain::Step step = drain.step(at_present());
    EXPECT_TRUE(step.finished);
    EXPECT_LT(names.notices.size(), 12u);
    EXPECT_NE(names.notices.back().find("nothing of it is read"), std::string::npos);
}

TEST(ProgramDrain, AProgramThatCountsRingsItDoesNotHaveIsFoundOutInAFewSteps) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    segment.header().ring_count = SLA_MAX_RINGS;
    bool finished = false;
    for (int i = 0; i < 10 && !finished; i++) finished = drain.step(at_present()).finished;
    EXPECT_TRUE(finished);
}

TEST(ProgramDrain, LossesThatCannotBeAreDamageAndInNoAccount) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    segment.add_channel("a");
    sla_channel_descriptor& descriptor = segment.descriptor(1);
    descriptor.lost_no_ring = ~std::uint64_t{0};
    segment.header().lost_without_ring = 1;
    drain.step(at_present());
    EXPECT_EQ(names.channels["a"].ledger.lost(), 0u);
    EXPECT_EQ(names.notices.size(), 1u);
}

TEST(ProgramDrain, RingsOfMoreThanAThousandThreadsThatWereThereBeforeUsAreAllReadBeforeTheWatermarkGoesOn) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    const std::uint32_t channel = segment.add_channel("a");
    constexpr std::size_t kRings = 2500;
    for (std::size_t i = 0; i < kRings; i++) {
        TestWriter writer(segment, segment.add_ring(channel, 16));
        SLA_TICK(writer.channel());
    }
    std::size_t taken = 0;
    ProgramDrain::Step step;
    do {
        step = drain.step(at_present());
        taken += step.taken;
        EXPECT_EQ(step.bound == 0, taken < kRings);
    } while (step.bound == 0);
    EXPECT_EQ(taken, kRings);
    EXPECT_TRUE(names.notices.empty());
}

// Looking at so many takes more than one step: neither the watermark nor the program's end goes by what was not looked at yet.
TEST(ProgramDrain, ARingUsedAgainBehindThousandsThatWaitIsReadBeforeTheWatermarkPassesItAndBeforeTheEnd) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    Names names;
    ProgramDrain drain(program, names);
    const std::uint32_t channel = segment.add_channel("a");
    constexpr std::uint32_t kRings = 9000;
    for (std::uint32_t number = 0; number < kRings; number++) {
        TestWriter writer(segment, segment.add_ring(channel, 2));
        SLA_TICK(writer.channel());
        segment.ring(number).state = SLA_RING_CLOSED;
    }
    segment.header().rings_opened = kRings;
    std::size_t taken = 0;
    for (bool more = true; more;) {
        const ProgramDrain::Step step = drain.step(at_present());
        taken += step.taken;
        more = step.more;
    }
    ASSERT_EQ(taken, kRings);

    sla_ring_header& last = segment.ring(kRings - 1);
    last.generation++;
    last.state = SLA_RING_LIVE;
    segment.header().rings_opened++;
    TestWriter writer(segment, kRings - 1);
    SLA_TICK(writer.channel());
    const std::uint64_t stamped = time::read_stamp() & SLA_TICK_MASK;
    program->ended = true;
    for (bool finished = false; !finished;) {
        const ProgramDrain::Step step = drain.step(at_present());
        taken += step.taken;
        finished = step.finished;
        EXPECT_TRUE(taken == kRings + 1 || step.bound <= stamped);
        ASSERT_TRUE(step.more || finished || taken == kRings + 1);
    }
    EXPECT_EQ(taken, kRings + 1);
    EXPECT_TRUE(names.notices.empty());
}

// A simulator's time, a minute ahead of the machine's or far behind, however lately the machine was started: events are as they were stamped, none late or
// damaged, and the machine's watermark is nobody's business.
TEST(ProgramDrain, AProgramWithAClockOfItsOwnIsNeitherLateNorDamagedNorHoldsTheWatermark) {
    const std::uint64_t now = time::read_stamp() & SLA_TICK_MASK;
    constexpr std::uint64_t kMinute = 180'000'000'000;
    for (const std::uint64_t start : {now + kMinute, now / 2}) {
        TestSegment segment;
        segment.header().stamp_clock = SLA_STAMP_OWN;
        Names names;
        ProgramDrain drain(std::make_shared<source::Program>(segment.view()), names);
        TestWriter writer(segment, segment.add_ring(segment.add_channel("a"), 16));
        for (std::uint64_t i = 0; i < 5; i++)
            sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, start + 1000 * i, i, 0, 0);
        const StepClock clock = at_present();
        const ProgramDrain::Step step = drain.step(clock);
        EXPECT_EQ(step.bound, clock.before(kStoreBufferTicks)) << "others' events need not wait";
        drain.step(clock);
        wire::EventBatch out;
        EXPECT_TRUE(merge_up_to(clock.now(), 1000, names.channels["a"], out));
        EXPECT_EQ(out.ticks, (std::vector<std::uint64_t>{start, start + 1000, start + 2000, start + 3000}));
        sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, start + 4000, 5, 0, 0);  // that time stands still
        sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, start + 5000, 6, 0, 0);
        drain.step(clock);
        EXPECT_EQ(all_of(names.channels["a"]).size(), 3u);
        EXPECT_EQ(names.channels["a"].ledger.events, 7u);
        EXPECT_EQ(names.channels["a"].ledger.lost(), 0u);
    }
}

}  // namespace
}  // namespace sla::drain
