// Losses that are exported and imported again.
#include "tests/unit/viewer/formats/round_trip.h"

#include <cstdint>
#include <vector>

namespace sla::formats {
namespace {

using LossesRoundTrip = RoundTrip;

TEST_F(LossesRoundTrip, EveryCauseOfALossComesBack) {
    support::CaptureBuilder capture(0, 1e9, 20);
    const auto rx = capture.channel("rx");
    std::vector<wire::LossCause> causes;
    for (int number = 1; number <= static_cast<int>(wire::kLastLossCause); ++number) {
        causes.push_back(static_cast<wire::LossCause>(number));
        capture.tick(rx, 1000 * static_cast<std::uint64_t>(number));
        capture.gap(rx, 1000 * static_cast<std::uint64_t>(number) + 100, 3, causes.back());
    }
    for (const auto format : {ExportFormat::kCtf, ExportFormat::kChrome, ExportFormat::kCsv, ExportFormat::kParquet}) {
        store::Session session;
        store::Session back;
        capture.fill(session);
        there_and_back(session, format, back);
        std::vector<wire::LossCause> reported;
        for (const store::Gap& gap : back.lane_named("rx")->gaps()) reported.push_back(gap.cause);
        EXPECT_EQ(reported, causes) << static_cast<int>(format);
    }
}

// Rows behind it are of another thread: nothing else says that the loss lasts.
TEST_F(LossesRoundTrip, TablesKeepUntilWhenALossLasted) {
    support::CaptureBuilder capture;
    capture.thread("other", 2);
    const auto rx = capture.channel("rx");
    capture.tick(rx, 1'000);
    capture.gap(rx, 2'000, 3, wire::LossCause::kOverrun, 90'000);
    capture.gap(rx, 3'000, 0, wire::LossCause::kNone, 91'000);
    capture.gap(rx, 4'000, 1, wire::LossCause::kLagged);
    capture.tick(rx, 5'000, 7, 2);
    store::Session session;
    capture.fill(session);
    using enum ExportFormat;
    for (const auto format : {kCsv, kTsv, kJson, kJsonl}) {
        store::Session back;
        there_and_back(session, format, back);
        std::vector<std::uint64_t> ends;
        for (const store::Gap& gap : back.lane_named("rx")->gaps()) ends.push_back(gap.has_end() ? gap.until_tick : 0);
        EXPECT_EQ(ends, (std::vector<std::uint64_t>{90'000, 91'000, 0})) << static_cast<int>(format);
        EXPECT_EQ(back.lane_named("rx")->gaps().front().cause, wire::LossCause::kOverrun);
    }
}

}  // namespace
}  // namespace sla::formats
