// Programs whose time is one that they make up, as an emulated PC's by the virtual clock.
#include "tests/unit/agent/daemon/pipeline_fixture.h"

#include <algorithm>
#include <utility>

namespace sla::daemon {
namespace {

using support::TestSegment;
using support::TestWriter;

// A program whose time is far behind the machine's, and stands still between its events.
class OwnTimePipeline : public PipelineTest {
protected:
    OwnTimePipeline() {
        segment_.header().stamp_clock = SLA_STAMP_OWN;
        ring_ = segment_.add_ring(segment_.add_channel("guest"), 1024);
        pipeline_.act_on_shots_with([this](shots::ShotOrder order) { orders_.push_back(std::move(order)); });
    }
    // Events at these ticks of its time; the newest waits for the next one.
    void record(const std::vector<std::uint64_t>& ticks) {
        {
            TestWriter writer(segment_, ring_);
            for (const std::uint64_t tick : ticks) sla_record_at(writer.channel(), SLA_CODE_TICK, tick, 0, 0, 0);
        }
        catch_up();
        catch_up();
    }
    void set(const std::string& expression, std::int64_t pre_ns, std::int64_t post_ns) {
        wire::SetTrigger request;
        request.set_expression(expression);
        request.set_pre_ns(pre_ns);
        request.set_post_ns(post_ns);
        ASSERT_EQ(pipeline_.set_trigger(request, true), "");
    }
    [[nodiscard]] ChannelId channel_id() const {
        for (const auto& [id, name] : received_.channels) {
            if (name == "guest") return {id};
        }
        return {};
    }
    [[nodiscard]] std::uint64_t ms(std::int64_t count) const { return pipeline_.ticks_of(count * 1'000'000); }

    TestSegment segment_;
    std::uint32_t ring_ = 0;
    std::vector<shots::ShotOrder> orders_;
    const std::uint64_t start_ = (time::read_tsc() & SLA_TICK_MASK) / 2;
};

TEST_F(OwnTimePipeline, ATriggerSeesSilenceWhereThatTimeHasOneAlone) {
    catch_up();
    set("gap guest > 1us", 0, 1000);
    pipeline_.add_program(std::make_shared<source::Program>(segment_.view()));
    record({start_, start_ + 100, start_ + 200});
    EXPECT_TRUE(orders_.empty()) << "the machine's time went on";
    record({start_ + ms(1), start_ + ms(1) + 100, start_ + ms(1) + 200});
    ASSERT_EQ(orders_.size(), 1u);
    EXPECT_LT(orders_[0].shot.tick(), start_ + ms(1));
    EXPECT_GT(orders_[0].shot.tick(), start_ + 200);
    EXPECT_NE(orders_[0].shot.time_source(), 0u);
}

TEST_F(OwnTimePipeline, ATriggerSeesTheSilencesOfAProgramThatEndedBeforeItWasLookedAt) {
    catch_up();
    set("gap guest > 1us", 0, 1);
    set("2 x gap guest > 1us", 0, 1);
    set("gap guest > 1s", 0, 1);
    const auto program = std::make_shared<source::Program>(segment_.view());
    pipeline_.add_program(program);
    {
        TestWriter writer(segment_, ring_);
        for (const std::int64_t at : {0, 1, 3, 6}) sla_record_at(writer.channel(), SLA_CODE_TICK, start_ + ms(at), 0, 0, 0);
    }
    program->ended = true;
    catch_up();
    catch_up();
    std::vector<std::uint64_t> shots;
    for (const shots::ShotOrder& order : orders_) shots.push_back((order.shot.tick() - start_) / ms(1));
    std::sort(shots.begin(), shots.end());
    EXPECT_EQ(shots, (std::vector<std::uint64_t>{0, 1, 1, 3})) << "none behind the last event: its time stands still";
}

// The ring is given back, its thread is gone; the program goes on.
TEST_F(OwnTimePipeline, WhatAThreadThatIsGoneRecordedIsKnownWithTheNextStep) {
    catch_up();
    set("gap guest > 1us", 0, 1);
    pipeline_.add_program(std::make_shared<source::Program>(segment_.view()));
    {
        TestWriter writer(segment_, ring_);
        for (const std::int64_t at : {0, 1, 3}) sla_record_at(writer.channel(), SLA_CODE_TICK, start_ + ms(at), 0, 0, 0);
    }
    segment_.ring(ring_).state = SLA_RING_CLOSED;
    catch_up();
    catch_up();
    EXPECT_EQ(orders_.size(), 2u);
}

TEST_F(OwnTimePipeline, AShotIsCompleteWhenThatTimeIs) {
    catch_up();
    set("guest", 0, 1'000'000);
    pipeline_.add_program(std::make_shared<source::Program>(segment_.view()));
    record({start_, start_ + 100});
    EXPECT_TRUE(orders_.empty());
    record({start_ + 200, start_ + ms(1) - 1000, start_ + ms(1) - 100});
    EXPECT_TRUE(orders_.empty());
    record({start_ + ms(2), start_ + ms(2) + 100});
    ASSERT_EQ(orders_.size(), 1u);
    EXPECT_EQ(orders_[0].shot.tick(), start_);
    EXPECT_EQ(received_.ticks["guest"].size(), 6u);
}

TEST_F(OwnTimePipeline, WhatIsKeptIsTheNewestPartOfThatTime) {
    stream::ControlRequest keep;
    keep.request.mutable_set_retention()->set_keep_ns(1'000'000);
    keep.local = true;
    EXPECT_EQ(pipeline_.apply(keep), "");
    pipeline_.add_program(std::make_shared<source::Program>(segment_.view()));
    record({start_, start_ + 100});
    record({start_ + 200, start_ + 300});
    catch_up();
    retention_.expire(time::read_tsc());
    EXPECT_EQ(retention_.held(channel_id()).rows, 3u) << "a microsecond of that time has gone by";
}

}  // namespace
}  // namespace sla::daemon
