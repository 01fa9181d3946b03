// What is followed up to a time is there when sources with a time of their own have got there, too.
#include "viewer/cli/follow_end.h"

#include "tests/support/capture_builder.h"

#include <gtest/gtest.h>

namespace sla::cli {
namespace {

class OwnTimesTest : public testing::Test {
protected:
    // A program by the machine's clock, and one whose own time stands at 40'000.
    OwnTimesTest() {
        support::CaptureBuilder capture(0);
        source_ = capture.source("guest", support::BuilderSource::kPc);
        capture.tick(capture.channel("irq", source_), 500);
        capture.tick(capture.channel("post", source_), 40'000);
        capture.tick(capture.channel("beat"), 90'000);
        capture.leave_open(1'000);
        capture.fill(session_);
    }
    void set_source(std::uint32_t clock_domain, bool ended) {
        store::Source source = *session_.source(SourceId{source_});
        source.clock_domain = clock_domain;
        source.ended = ended;
        session_.add_source(source);
    }
    // How often it must be asked, each time of a later watermark; 0: it is never there.
    int asked(std::uint64_t tick, const std::vector<std::string>& channels = {}) {
        OwnTimes times(channels);
        for (int i = 1; i < 20; ++i) {
            if (times.have_reached(session_, tick, 100'000 + static_cast<std::uint64_t>(i))) return i;
        }
        EXPECT_EQ(times.waits_for(), "guest");
        return 0;
    }

    store::Session session_;
    std::uint32_t source_ = 0;
};

TEST_F(OwnTimesTest, ByTheMachinesClockAllIsThereAtOnce) {
    set_source(0, false);
    EXPECT_EQ(asked(95'000), 1);
}

TEST_F(OwnTimesTest, OneThatHasNotGotThereIsWaitedFor) {
    set_source(1, false);
    EXPECT_EQ(asked(40'001), 0);
    EXPECT_EQ(asked(40'000), 4) << "channels of that moment may come some watermarks later";
    EXPECT_EQ(asked(95'000, {"beat"}), 1) << "nobody looks at it";
    EXPECT_EQ(asked(95'000, {"beat", "irq"}), 0);
}

TEST_F(OwnTimesTest, OneThatHasEndedIsThereWithItsLastRows) {
    set_source(1, true);
    EXPECT_EQ(asked(95'000), 4);
}

TEST_F(OwnTimesTest, OfOneTimeTheWordIsNotTakenTwice) {
    set_source(1, true);
    OwnTimes times({});
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(times.have_reached(session_, 95'000, 100'000));
}

TEST_F(OwnTimesTest, NothingIsWaitedForWhenNothingComes) {
    set_source(1, false);
    OwnTimes times({});
    EXPECT_TRUE(times.have_reached(session_, 95'000, store::kNever));
}

}  // namespace
}  // namespace sla::cli
