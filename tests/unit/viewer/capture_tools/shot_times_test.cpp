// Windows by times that sources make up: of a guest far behind the machine's clock.
#include "viewer/capture_tools/shot_filter.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/capture_builder.h"
#include "tests/support/with_directory.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sla::capture_tools {
namespace {

constexpr std::uint64_t kMachineNow = 1'000'000'000;  // 1 tick is 1 ns

class ShotTimes : public support::WithDirectory {
protected:
    // The channels irq (1) and port (2) are a guest's, rx (3) is the host's.
    ShotTimes() {
        support::CaptureBuilder capture(kMachineNow);
        guest_ = capture.source("guest", support::BuilderSource::kPc);
        capture.channel("irq", guest_);
        capture.channel("port", guest_);
        capture.channel("rx");
        names_ = capture.frames(1);
        writer_.emplace(std::move(capture::CaptureWriter::create(file("shots.sla"))).value());
        filter_.emplace(*writer_, std::int64_t{100} * 1000, std::set<std::string>{"mine"});
        wire::Frame status;
        status.mutable_status()->set_ticks_per_second(1e9);
        take(status);
        for (const std::string& message : names_) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(message));
            if (frame.has_source() && frame.source().id() == guest_) frame.mutable_source()->set_clock_domain(1);
            if (frame.has_source() && frame.source().id() == guest_) source_ = frame;
            if (!frame.has_end() && !frame.has_watermark()) take(frame);
        }
    }
    void take(const wire::Frame& frame) { ASSERT_TRUE(filter_->take(frame.SerializeAsString()).ok()); }
    void rows(std::uint32_t channel, const std::vector<std::uint64_t>& ticks) {
        wire::EventBatch batch;
        batch.channel = {channel};
        batch.first_index = next_[channel];
        for (const std::uint64_t tick : ticks) batch.add(tick, SLA_CODE_TICK, 0, 1);
        next_[channel] += ticks.size();
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        take(frame);
    }
    void watermark(std::uint64_t more) {
        wire::Frame frame;
        frame.mutable_watermark()->set_tick(kMachineNow + more);
        take(frame);
    }
    // [tick - 100, tick + 200]
    void shot(std::uint64_t tick, std::uint32_t time_source) {
        wire::Frame frame;
        wire::Shot& shot = *frame.mutable_shot();
        shot.set_trigger_name("mine");
        shot.set_number(++shots_);
        shot.set_tick(tick);
        shot.set_begin_tick(tick - 100);
        shot.set_end_tick(tick + 200);
        shot.set_time_source(time_source);
        take(frame);
    }
    void guest_ends() {
        source_.mutable_source()->set_ended(true);
        take(source_);
    }
    // Of each channel, in the file.
    std::map<std::string, std::vector<std::uint64_t>> kept() {
        EXPECT_TRUE(filter_->finish("over").ok());
        EXPECT_TRUE(writer_->finish().ok());
        EXPECT_TRUE(ingest::load(file("shots.sla"), session_).ok());
        std::map<std::string, std::vector<std::uint64_t>> ticks;
        for (const store::Lane* lane : session_.lanes()) {
            for (std::uint64_t i = 0; i < lane->size(); ++i) {
                if ((*lane)[i].code != SLA_CODE_GAP) ticks[lane->channel().name].push_back(lane->tick(i));
            }
        }
        return ticks;
    }
    using Ticks = std::vector<std::uint64_t>;

    std::uint32_t guest_ = 0;
    std::vector<std::string> names_;
    wire::Frame source_;
    std::optional<capture::CaptureWriter> writer_;
    std::optional<ShotFilter> filter_;
    std::map<std::uint32_t, std::uint64_t> next_;
    std::uint64_t shots_ = 0;
    store::Session session_;
};

TEST_F(ShotTimes, AGuestsWindowIsFilledByItsOwnTimeHoweverLateThatIsHere) {
    rows(1, {1000, 1500});
    watermark(1000);
    watermark(2000);
    rows(2, {1450});
    shot(1550, guest_);
    rows(1, {1550});
    watermark(3'000'000);
    rows(1, {1700});
    watermark(6'000'000);
    EXPECT_EQ(filter_->shots(), 0U) << "by the machine's clock it would be over";
    rows(1, {1740, 1760, 1900});
    watermark(7'000'000);
    rows(2, {1745, 1755});
    watermark(8'000'000);
    EXPECT_EQ(filter_->shots(), 1U);
    auto kept = this->kept();
    EXPECT_EQ(kept["irq"], (Ticks{1500, 1550, 1700, 1740}));
    EXPECT_EQ(kept["port"], (Ticks{1450, 1745}));
    EXPECT_EQ(session_.damage_count(), 0U);
}

TEST_F(ShotTimes, WindowsOfBothKindsTakeNothingOfEachOther) {
    rows(1, {1000, 1500});
    rows(3, {kMachineNow + 900, kMachineNow + 950});
    shot(kMachineNow + 1000, 0);
    shot(1500, guest_);
    rows(3, {kMachineNow + 1000, kMachineNow + 1100});
    watermark(1150);
    EXPECT_EQ(filter_->shots(), 0U);
    rows(3, {kMachineNow + 1300});
    watermark(1301);
    EXPECT_EQ(filter_->shots(), 1U) << "the guest's waits for the guest";
    rows(1, {1600, 2000});
    watermark(1400);
    watermark(1500);
    EXPECT_EQ(filter_->shots(), 2U);
    auto kept = this->kept();
    EXPECT_EQ(kept["irq"], (Ticks{1500, 1600}));
    EXPECT_EQ(kept["rx"], (Ticks{kMachineNow + 900, kMachineNow + 950, kMachineNow + 1000, kMachineNow + 1100}));
}

TEST_F(ShotTimes, AGuestThatEndsLeavesTheWindowAsCompleteAsItGets) {
    rows(1, {1500});
    shot(1500, guest_);
    guest_ends();
    watermark(1000);
    rows(1, {1600});
    for (std::uint64_t i = 0; i < 3; ++i) watermark(2000 + i);
    EXPECT_EQ(filter_->shots(), 1U);
    EXPECT_EQ(kept()["irq"], (Ticks{1500, 1600}));
}

}  // namespace
}  // namespace sla::capture_tools
