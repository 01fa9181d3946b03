#include "viewer/analysis/filter/hit_search.h"

#include "proto/common/trigger/parser.h"
#include "tests/support/capture_builder.h"
#include "tests/unit/viewer/ingest/frames.h"
#include "viewer/ingest/frame_applier.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace sla::analysis {
namespace {

// A recording that goes on.
class LiveSearch : public ::testing::Test {
protected:
    LiveSearch() : applier_(session_) {
        ingest::put_names([this](const std::string& frame) { applier_.apply(frame); }, 1);
    }
    void add(std::uint32_t channel, std::uint64_t first_index, std::initializer_list<std::uint64_t> ticks) {
        wire::Frame frame;
        wire::encode_batch(ingest::ticks_batch(channel, first_index, ticks), *frame.mutable_batch());
        applier_.apply(frame.SerializeAsString());
    }
    static std::vector<std::uint64_t> ticks_of(HitSearch& search) {
        while (search.step()) {
        }
        std::vector<std::uint64_t> ticks;
        for (const FoundHit& hit : search.hits()) ticks.push_back(hit.tick);
        return ticks;
    }
    store::Session session_;
    ingest::FrameApplier applier_;
};

TEST_F(LiveSearch, GoesOnWithRowsAndWithChannelsThatComeLater) {
    using Ticks = std::vector<std::uint64_t>;
    HitSearch search(session_, trigger::Trigger(*trigger::parse_expression("c*")));
    add(1, 0, {100, 200});
    applier_.apply(ingest::watermark_frame(250));
    EXPECT_EQ(ticks_of(search), (Ticks{100, 200}));
    applier_.apply(ingest::channel_frame(2, "c2"));
    applier_.apply(ingest::channel_frame(3, "other"));
    add(2, 0, {300, 500});
    add(3, 0, {350});
    add(1, 2, {400});
    applier_.apply(ingest::watermark_frame(600));
    EXPECT_EQ(ticks_of(search), (Ticks{100, 200, 300, 400, 500}));
}

std::vector<FoundHit> found(const support::CaptureBuilder& capture, const char* expression) {
    store::Session session;
    capture.fill(session);
    HitSearch search(session, trigger::Trigger(*trigger::parse_expression(expression)));
    while (search.step()) {
    }
    return search.hits();
}

TEST(HitSearch, OfAGuestWithATimeOfItsOwnNothingIsSilentBehindItsNewestEvent) {
    support::CaptureBuilder capture(0);
    const auto guest = capture.source("guest", support::BuilderSource::kPc);
    const auto irq = capture.channel("irq", guest);
    capture.tick(irq, 1'000);
    capture.tick(irq, 2'000);
    capture.tick(capture.channel("exit", guest), 60'000);
    capture.tick(capture.channel("beat"), 900'000);
    store::Session session;
    capture.fill(session);
    store::Source source = *session.source(SourceId{guest});
    source.clock_domain = 1;
    session.add_source(source);
    const auto hits = [&](const char* expression) {
        HitSearch search(session, trigger::Trigger(*trigger::parse_expression(expression)));
        while (search.step()) {
        }
        return search.hits().size();
    };
    EXPECT_EQ(hits("gap irq > 50us"), 1u) << "the exit is 58 us behind";
    EXPECT_EQ(hits("gap irq > 100us"), 0u) << "the guest's run is over";
    EXPECT_EQ(hits("irq"), 2u);
    EXPECT_EQ(hits("beat"), 1u);
}

TEST(HitSearch, OfOneGapItIsReportedOnceThatNobodyCanTell) {
    support::CaptureBuilder capture(0);
    const auto rx = capture.channel("rx");
    constexpr std::uint64_t kMillisecond = 1'000'000;
    for (std::uint64_t i = 0; i < 100; ++i) capture.tick(rx, i * kMillisecond);
    capture.gap(rx, 100 * kMillisecond, 5'000, wire::LossCause::kOverrun, 1'100 * kMillisecond);
    for (std::uint64_t i = 0; i < 100; ++i) capture.tick(rx, (1'101 + i) * kMillisecond);
    capture.gap(rx, 1'300 * kMillisecond, 5'000, wire::LossCause::kNotKept, 2'300 * kMillisecond);
    capture.tick(rx, 2'400 * kMillisecond);
    const std::vector<FoundHit> hits = found(capture, "rate rx > 3000/s over 10ms");
    std::vector<std::uint64_t> doubts;
    for (const FoundHit& hit : hits) {
        if (!hit.certain) doubts.push_back(hit.tick / kMillisecond);
    }
    ASSERT_EQ(doubts.size(), 2u) << "of " << hits.size() << " hits";
    EXPECT_NEAR(static_cast<double>(doubts[0]), 105, 10);
    EXPECT_NEAR(static_cast<double>(doubts[1]), 1'305, 10);
}

TEST(HitSearch, EachIntervalThatALossMakesDoubtfulIsReported) {
    support::CaptureBuilder capture(0);
    const auto span = capture.channel("s");
    capture.thread("t", 2);
    capture.begin(span, 1, 1);
    capture.begin(span, 2, 2);
    capture.gap(span, 20, 1, wire::LossCause::kOverrun, 0, 1);
    capture.end(span, 30, 1);
    capture.begin(span, 40, 1);
    capture.end(span, 1'000, 1);
    capture.end(span, 5'000'000, 2);
    using Answer = std::pair<std::uint64_t, bool>;
    std::vector<Answer> answers;
    for (const FoundHit& hit : found(capture, "width s > 5ns")) answers.emplace_back(hit.tick, hit.certain);
    EXPECT_EQ(answers, (std::vector<Answer>{{20, false}, {30, false}, {1'000, true}, {5'000'000, false}}));
}

TEST(HitSearch, SaysThatItsDeadlinesGoInCircles) {
    support::CaptureBuilder capture(0);
    capture.tick(capture.channel("a"), 10);
    capture.tick(capture.channel("c"), 50'000'000);
    store::Session session;
    capture.fill(session);
    const auto goes_in_circles = [&](const char* file) {
        HitSearch search(session, trigger::Trigger(*trigger::parse_sequencer(file)));
        while (search.step()) {
        }
        EXPECT_FALSE(search.step());
        return search.goes_in_circles();
    };
    EXPECT_TRUE(goes_in_circles("level A\n  if c   trigger\n  else if a   start t\n  else if timer t > 5ns   goto A\n"));
    EXPECT_FALSE(goes_in_circles("level A\n  if c   trigger\n  else if a   start t\n  else if timer t > 5ns   stop t\n"));
}

}  // namespace
}  // namespace sla::analysis
