#include "viewer/workspace/jobs/export_job.h"

#include "tests/support/sample_capture.h"
#include "viewer/analysis/filter/event_filter.h"
#include "viewer/formats/catalog/export.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sla::workspace {
namespace {

class ExportJobs : public ::testing::Test {
protected:
    ExportJobs() {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        support::CaptureBuilder capture(1'000'000, 2.7e9);
        support::add_mixed(capture, 20, 5000);
        capture.fill(session_);
    }
    ~ExportJobs() override { std::filesystem::remove_all(folder_); }
    std::string file(const char* name) { return (folder_ / name).string(); }
    static std::string bytes_of(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    static const Result<formats::ExportReport>& wait(const ExportJob& job) {
        while (job.result() == nullptr) std::this_thread::yield();  // ends: a job writes it, or notices that it shall not
        return *job.result();
    }
    analysis::Selection everything() { return *analysis::select(session_, {}); }
    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) / ("sla-export-job-test-" + std::to_string(getpid()));
    store::Session session_;
};

TEST_F(ExportJobs, WriteByteForByteWhatAnExportAtOnceWrites) {
    for (const auto format : {formats::ExportFormat::kCsv, formats::ExportFormat::kVcd, formats::ExportFormat::kChrome,
                              formats::ExportFormat::kPerfetto, formats::ExportFormat::kJsonl}) {
        formats::ExportOptions options;
        options.format = format;
        ASSERT_TRUE(formats::export_capture(session_, everything(), options, file("once")).ok());
        ExportJob job(session_, everything(), options, file("job"));
        ASSERT_TRUE(wait(job).ok());
        EXPECT_GT(job.all(), 0u);
        EXPECT_EQ(bytes_of(file("job")), bytes_of(file("once")));
    }
}

TEST_F(ExportJobs, LeaveNoFileWhenCancelledOrDropped) {
    ExportJob job(session_, everything(), {}, file("cancelled.csv"));
    job.cancel();
    EXPECT_FALSE(wait(job).ok());
    { ExportJob dropped(session_, everything(), {}, file("dropped.csv")); }
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ExportJobs, SayWhyTheyCannot) {
    ExportJob job(session_, everything(), {}, file("no/such/folder.csv"));
    ASSERT_FALSE(wait(job).ok());
    EXPECT_FALSE(job.result()->error().message.empty());
}

TEST_F(ExportJobs, KnowHowMuchIsInTheFileWhole) {
    ASSERT_GT(session_.changes().totals().gaps, 0u) << "rows are more than events";
    const auto whole_of = [&](const analysis::Selection& rows, formats::ExportFormat format) {
        formats::ExportOptions options;
        options.format = format;
        const ExportJob job(session_, rows, options, file("whole"));
        EXPECT_TRUE(wait(job).ok());
        return job.whole_until();
    };
    const auto csv = formats::ExportFormat::kCsv;
    EXPECT_EQ(whole_of(everything(), csv), session_.events());
    EXPECT_EQ(whole_of(everything(), formats::ExportFormat::kSr), 0u) << "one bit a channel";
    analysis::Selection some = everything();
    some.lanes.pop_back();
    EXPECT_EQ(whole_of(some, csv), 0u);
    some = everything();
    some.from = session_.first_tick() + 1;
    EXPECT_EQ(whole_of(some, csv), 0u);
    const ExportJob failed(session_, everything(), {}, file("no/such/folder.csv"));
    EXPECT_FALSE(wait(failed).ok());
    EXPECT_EQ(failed.whole_until(), 0u);
}

// The frames of a live stream that was received by half, and the rest of them.
class GrowingSession {
public:
    GrowingSession() : applier_(session) {
        support::CaptureBuilder capture(1'000'000, 2.7e9, 70);
        support::add_mixed(capture, 20, 5000);
        capture.leave_open(1'000'000'000);
        frames_ = capture.frames(40);
        grow(frames_.size() / 2);
    }
    // False: that was all.
    bool grow(std::size_t frames = 3) {
        for (; frames > 0 && next_ < frames_.size(); --frames) applier_.apply(std::string_view(frames_[next_++]));
        return next_ < frames_.size();
    }
    // What is learned of the clock: it runs faster than it was believed to.
    void learn_of_clock() {
        session.add_clock(0, {900'000, 0, 0, 1, 0});
        session.add_clock(0, {900'000'000, 330'000'000, 0, 1, 0});
    }

    store::Session session;

private:
    ingest::FrameApplier applier_;
    std::vector<std::string> frames_;
    std::size_t next_ = 0;
};

TEST_F(ExportJobs, WriteWhatWasThereWhenTheyBeganWhileMoreComes) {
    for (const auto format : {formats::ExportFormat::kCsv, formats::ExportFormat::kVcd, formats::ExportFormat::kChrome}) {
        for (const char* filter : {"", "value > 100"}) {
            GrowingSession live;
            analysis::Selection chosen = *analysis::select(live.session, {});
            if (*filter != '\0') chosen.filter = std::move(*analysis::EventFilter::parse(filter));
            formats::ExportOptions options;
            options.format = format;
            ASSERT_TRUE(formats::export_capture(live.session, chosen, options, file("before")).ok());
            const std::uint64_t events = live.session.events();
            ExportJob job(live.session, chosen, options, file("job"));
            live.learn_of_clock();
            while (live.grow()) std::this_thread::yield();
            ASSERT_TRUE(wait(job).ok());
            EXPECT_GT(live.session.events(), events) << "it grew meanwhile";
            EXPECT_TRUE(bytes_of(file("job")) == bytes_of(file("before")));
            EXPECT_NEAR(live.session.clock().ticks_per_second(), 2.7e9, 2.7e8);
        }
    }
}

}  // namespace
}  // namespace sla::workspace
