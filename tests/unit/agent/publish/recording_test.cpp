#include "agent/publish/recording.h"

#include "tests/unit/agent/publish/spooled.h"

namespace sla::publish {
namespace {

class RecordingInto : public Spooled {
protected:
    void append(retain::Retention& retention, std::uint32_t count) {
        const retain::Delivery delivery = rows(count);
        retention.append(delivery.facts, *delivery.frame);
        retention.publish();
    }
    void announce(retain::Retention& retention) { retention.announce_channel({1}, "c1", *named(1).frame); }
    static std::string end() {
        wire::Frame frame;
        frame.mutable_end()->set_reason("done");
        return wire::encode_frame(frame);
    }
    Recording::Calls calls() {
        return {[this](const std::string& text) { said_.push_back(text); }, [] {}, [] { return std::uint64_t{0}; }};
    }
    std::vector<std::string> said_;  // read once the thread has ended
};

TEST_F(RecordingInto, ASpoolWithSpaceTakesEverything) {
    open_spool();
    begin("c");
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    for (int i = 0; i < 20; ++i) append(retention, 500);
    retention.finish(end());
    recording.join();
    const Recording::State state = recording.state();
    EXPECT_TRUE(state.has_ended);
    EXPECT_EQ(state.events, 10'000u);
    EXPECT_EQ(state.dropped, 0u);
    EXPECT_EQ(rows_in_all("c"), 10'000u);
    EXPECT_TRUE(said_.empty());
}

TEST_F(RecordingInto, AFullSpoolLosesExactlyWhatItSays) {
    open_spool(std::uint64_t{1} << 20);
    begin("c");
    spool_->count(std::int64_t{1} << 20);  // of an earlier agent
    retain::Retention retention({});
    announce(retention);
    Recording recording(*spool_, "c", retention, calls());
    recording.start();
    for (int i = 0; i < 20; ++i) append(retention, 500);
    retention.finish(end());
    recording.join(std::chrono::milliseconds(0));
    const Recording::State state = recording.state();
    EXPECT_EQ(state.events, 0u);
    EXPECT_EQ(state.dropped, 10'000u);
    EXPECT_EQ(state.problem, "the spool is full");
    ASSERT_EQ(said_.size(), 1u);
    EXPECT_NE(said_.front().find("--spool"), std::string::npos);
    const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(spool_->path_of("c", 1));
    ASSERT_TRUE(index);
    ASSERT_EQ(index->lane(ChannelId{1})->gaps.size(), 1u);
    EXPECT_EQ(index->lane(ChannelId{1})->gaps.front().lost, 10'000u);
}

}  // namespace
}  // namespace sla::publish
