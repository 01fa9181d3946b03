#include "viewer/formats/sr/sampler.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::formats {
namespace {

constexpr std::uint64_t kRate = 1'000'000'000;  // a sample a tick

// Of the capture's only lane: '-' low, '^' high.
std::string samples_of(const support::CaptureBuilder& capture, std::uint64_t from = 0) {
    store::Session session;
    capture.fill(session);
    analysis::Selection selection = *analysis::select(session, {"a"});
    selection.from = from;
    Sampler sampler(session, selection, kRate);
    std::string out;
    for (const char sample : sampler.next(sampler.samples())) out += sample == 0 ? '-' : '^';
    return out;
}

TEST(Sampler, ASpanWhoseEndMayBeLostIsOver) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    capture.begin(a, 100);
    capture.gap(a, 102, 5);
    capture.begin(a, 104);
    capture.end(a, 106);
    capture.tick(a, 108);
    EXPECT_EQ(samples_of(capture), "^^--^^--^");
}

TEST(Sampler, ALossOfOneThreadLeavesTheSpansOfOthers) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    const auto other = capture.thread("other", 2);
    capture.begin(a, 100, 1);
    capture.begin(a, 101, other);
    capture.gap(a, 102, 5, wire::LossCause::kOverrun, 0, 1);
    capture.end(a, 104, other);
    capture.tick(a, 106);
    EXPECT_EQ(samples_of(capture), "^^^^--^");
}

TEST(Sampler, ALevelIsUnknownBehindALoss) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    capture.level(a, 100, true);
    capture.gap(a, 102, 5);
    capture.level(a, 104, true);
    capture.level(a, 105, false);
    EXPECT_EQ(samples_of(capture), "^^--^-");
}

TEST(Sampler, ASpanThatIsOpenWhereARangeBeginsIsHighUntilItsEnd) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    capture.begin(a, 50);
    capture.span(a, 60, 70);
    capture.span(a, 101, 102);
    capture.end(a, 104);
    capture.tick(a, 106);
    EXPECT_EQ(samples_of(capture, 100), "^^^--^") << "from the first event of the range, at 101";
    EXPECT_EQ(samples_of(capture, 104), "--^") << "it ends with the first";
    EXPECT_EQ(samples_of(capture, 105), "^") << "it is over";
}

TEST(Sampler, ASpanThatALossHasEndedBeforeARangeIsLow) {
    support::CaptureBuilder capture(0);
    const auto a = capture.channel("a");
    capture.begin(a, 50);
    capture.gap(a, 60, 1);
    capture.span(a, 100, 101);
    capture.tick(a, 103);
    EXPECT_EQ(samples_of(capture, 90), "^--^");
}

}  // namespace
}  // namespace sla::formats
