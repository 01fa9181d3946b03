// A recording that was rotated, of which a file is missing in the middle: what it had of channels that have no rows behind it.
#include "proto/capture/pieces/capture_series.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/unit/viewer/cli/run_sla.h"
#include "viewer/ingest/file_source.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace sla::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kGoesOn = 1;   // rows in every file
constexpr std::uint32_t kEnds = 2;     // a level; rows in files 1 and 2, after which its program ends
constexpr std::uint32_t kIdle = 3;     // no rows, though its program goes on: the agent's status says so
constexpr std::uint32_t kUnknown = 4;  // the same, but no status tells of it
constexpr std::uint32_t kEnded = 5;    // all rows in file 1, where its program has ended
constexpr std::uint32_t kCounted = 6;  // 3 more in file 2, as its ledger in file 3 says
constexpr std::uint32_t kBegun = 7;    // named in file 2, rows only there
constexpr std::uint32_t kAhead = 8;    // of a time of its own, ahead of the others'

class MissingFiles : public WithDirectory {
protected:
    MissingFiles() {
        capture::SeriesLimits limits;
        limits.file_time = std::chrono::seconds(10);
        series_.emplace(capture::CaptureSeries::create(file("rec.sla"), limits, [this] { return now_; }).value());
        frame_.mutable_hello()->set_version(2);
        frame_.mutable_hello()->set_capture_id(77);
        frame_.mutable_hello()->set_start_tick(1'000);
        send();
        for (const std::uint32_t channel : {kGoesOn, kEnds, kIdle, kUnknown, kEnded, kCounted, kAhead}) name(channel);
        for (const std::uint64_t seconds : {0, 1}) {
            frame_.mutable_clock()->set_tick(1'000 + seconds * 1'000'000'000);
            frame_.mutable_clock()->set_monotonic_raw_ns(static_cast<std::int64_t>(seconds) * 1'000'000'000);
            send();
        }
        rows(kGoesOn, 2'000, 10);
        rows(kEnds, 2'100, 7, true);
        rows(kEnded, 2'200, 4);
        rows(kCounted, 2'300, 5);
        rows(kAhead, 2'400, 16);
        end(kEnded, 4);
        close(12'000);
        name(kBegun);
        rows(kGoesOn, 12'000, 10);
        rows(kEnds, 12'100, 6, true);
        rows(kCounted, 12'300, 3);
        rows(kBegun, 12'400, 2);
        rows(kAhead, 18'400, 16);
        end(kEnds, 13);
        close(22'000);
        rows(kGoesOn, 22'000, 10);
        end(kCounted, 8);
        frame_.mutable_status()->set_tick(30'000);
        for (const std::uint32_t channel : {kGoesOn, kIdle}) {
            wire::ChannelStatus& one = *frame_.mutable_status()->add_channels();
            one.set_id(channel);
            one.set_events(channel == kGoesOn ? 30 : 0);
        }
        send();
        frame_.mutable_end()->set_tick(32'000);
        send();
        EXPECT_TRUE(series_->finish().ok());
    }

    void send(const capture::FrameFacts& facts = {}) {
        EXPECT_TRUE(series_->append(frame_.SerializeAsString(), facts).ok());
        frame_.Clear();
    }
    // Each has a program of its own.
    void name(std::uint32_t channel) {
        frame_.mutable_source()->set_id(channel);
        frame_.mutable_source()->set_name("program" + std::to_string(channel));
        frame_.mutable_source()->set_clock_domain(channel == kAhead ? 1 : 0);
        send();
        frame_.mutable_channel()->set_id(channel);
        frame_.mutable_channel()->set_source(channel);
        frame_.mutable_channel()->set_name("c" + std::to_string(channel));
        send();
    }
    void end(std::uint32_t channel, std::uint64_t events) {
        frame_.mutable_source()->set_id(channel);
        frame_.mutable_source()->set_name("program" + std::to_string(channel));
        frame_.mutable_source()->set_ended(true);
        send();
        frame_.mutable_ledgers()->add_channels()->set_id(channel);
        frame_.mutable_ledgers()->mutable_channels(0)->set_events(events);
        send();
    }
    void rows(std::uint32_t channel, std::uint64_t tick, std::uint64_t count, bool levels = false) {
        wire::EventBatch batch;
        batch.channel = {channel};
        batch.first_index = next_[channel];
        for (std::uint64_t i = 0; i < count; ++i)
            batch.add(tick + i * 1'000, levels ? SLA_CODE_LEVEL : SLA_CODE_TICK, levels ? (next_[channel] + i + 1) % 2 : 0,
                      0);
        next_[channel] += count;
        wire::encode_batch(batch, *frame_.mutable_batch());
        send({channel, batch.ticks.front(), batch.ticks.back(), static_cast<std::uint32_t>(count), batch.first_index});
    }
    // All up to there is written, and the next file begins.
    void close(std::uint64_t watermark) {
        frame_.mutable_watermark()->set_tick(watermark - 1);
        send();
        now_ += std::chrono::seconds(11);
        EXPECT_TRUE(series_->flush().ok());
    }

    // What stands where file 2 is missing.
    static void expect_gaps(const store::Session& session) {
        const std::map<std::string, std::uint64_t> expected = {{"c2", 0}, {"c4", 0}, {"c6", 3}, {"c7", 0}, {"c8", 0}};
        for (const store::Lane* lane : session.lanes()) {
            const std::string& name = lane->channel().name;
            if (name == "c1") continue;
            ASSERT_EQ(lane->gaps().size(), expected.contains(name) ? 1U : 0U) << name;
            if (!expected.contains(name)) continue;
            const store::Gap gap = lane->gaps()[0];
            EXPECT_EQ(gap.lost, expected.at(name)) << name;
            EXPECT_EQ(gap.cause, wire::LossCause::kDamaged) << name;
            EXPECT_EQ(gap.tick, name == "c8" ? 17'400U : 11'999U) << "all before it was in file 1: " << name;
            EXPECT_EQ(gap.until_tick, name == "c8" ? 32'000U : 31'000U) << name;
        }
        EXPECT_EQ(session.lane_named("c1")->gaps().size(), 1U) << "its ordinals tell";
    }
    [[nodiscard]] Outcome merge(const std::vector<std::string>& names) const {
        std::vector<std::string> words = {"merge", "-o", file("merged.sla")};
        for (const std::string& name : names) words.push_back(file(name));
        return run_sla(words);
    }
    void expect_verdicts(const std::string& name, int unknown_places) const {
        const Outcome count = run_sla({"check", file(name), "--limit", "count c2 == 7"});
        EXPECT_NE(count.out.find("cannot tell"), std::string::npos) << count.out << count.errors;
        const Outcome level = run_sla({"check", file(name), "--limit", "width c2 < 15us"});
        EXPECT_EQ(level.out.find("fail"), std::string::npos) << "the last level ends at the gap: " << level.out;
        const Outcome channels = run_sla({"channels", file(name), "--channel", "c[247]"});
        std::size_t unknown = 0;
        for (std::size_t at = 0; (at = channels.out.find("an unknown number", at)) != std::string::npos; ++at) ++unknown;
        EXPECT_EQ(unknown, 3U) << channels.out;
        const Outcome verified = run_sla({"verify", file(name)});
        EXPECT_NE(verified.errors.find("an unknown number in " + std::to_string(unknown_places) + " places lost"),
                  std::string::npos)
            << verified.errors;
    }

    std::chrono::steady_clock::time_point now_{};
    std::optional<capture::CaptureSeries> series_;
    std::map<std::uint32_t, std::uint64_t> next_;
    wire::Frame frame_;
};

TEST_F(MissingFiles, OfASeriesLeaveAGapOnEachChannelThatMayHaveHadRows) {
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(file("rec.sla"), whole).ok());
    EXPECT_EQ(whole.uncounted_losses() + whole.lost(), 0U);
    fs::remove(file("rec-0002.sla"));
    for (const std::uint64_t rows_in_memory : {1'000'000, 0}) {
        ingest::FileOptions options;
        options.rows_in_memory = rows_in_memory;
        store::Session rest;
        ASSERT_TRUE(ingest::load_file(file("rec.sla"), rest, {}, options).ok());
        expect_gaps(rest);
    }
    expect_verdicts("rec.sla", 4);
}

TEST_F(MissingFiles, OfAMergeLeaveThemToo) {
    ASSERT_EQ(merge({"rec-0001.sla", "rec-0002.sla", "rec-0003.sla"}).code, kDone);
    store::Session whole;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), whole).ok());
    EXPECT_EQ(whole.uncounted_losses() + whole.lost(), 0U);
    const Outcome outcome = merge({"rec-0003.sla", "rec-0001.sla"});
    ASSERT_EQ(outcome.code, kDone) << outcome.errors;
    EXPECT_NE(outcome.errors.find("a file is missing between"), std::string::npos) << outcome.errors;
    EXPECT_NE(outcome.errors.find("5 channels without rows behind it"), std::string::npos) << outcome.errors;
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    expect_gaps(merged);
    expect_verdicts("merged.sla", 5);  // of c1, whose ordinals jump, too: its rows may have told losses
}

TEST_F(MissingFiles, OfAMergeAreKnownByTheFilesOwnWordsWhateverTheirNames) {
    fs::rename(file("rec-0001.sla"), file("x.sla"));
    fs::rename(file("rec-0002.sla"), file("y.sla"));
    fs::rename(file("rec-0003.sla"), file("z.sla"));
    EXPECT_EQ(merge({"x.sla", "y.sla", "z.sla"}).errors.find("missing"), std::string::npos);
    EXPECT_NE(merge({"x.sla", "z.sla"}).errors.find("a file is missing between"), std::string::npos) << "ordinals jump";
    store::Session merged;
    ASSERT_TRUE(ingest::load_file(file("merged.sla"), merged).ok());
    expect_gaps(merged);
}

TEST_F(MissingFiles, ThatCannotBeReadAreMissingToo) {
    std::ofstream(file("rec-0002.sla"), std::ios::trunc) << "no capture, but long enough to be looked at by all of them";
    store::Session rest;
    ASSERT_TRUE(ingest::load_file(file("rec.sla"), rest).ok());
    expect_gaps(rest);
}

}  // namespace
}  // namespace sla::cli
