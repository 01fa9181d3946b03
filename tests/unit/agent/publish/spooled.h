// A spool of a test's own, and deliveries as a retention hands them out.
#pragma once

#include "agent/publish/spool.h"
#include "agent/publish/spool_writer.h"
#include "agent/retain/retention.h"
#include "proto/capture/capture_index.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace sla::publish {

// A disk that is full, for this process: no file may become larger.
class FullDisk {
public:
    explicit FullDisk(std::uint64_t bytes) {
        old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit small{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }

private:
    rlimit old_{};
    void (*old_handler_)(int);
};

class Spooled : public testing::Test {
protected:
    static constexpr std::uint64_t kLimit = std::uint64_t{8} << 20;
    static constexpr std::uint32_t kRows = 100;  // of a batch

    void open_spool(std::uint64_t limit = kLimit) {
        Result<std::unique_ptr<Spool>> opened = Spool::open(folder(), limit);
        ASSERT_TRUE(opened) << opened.error().message;
        spool_ = std::move(*opened);
    }
    void begin(const std::string& capture) {
        publish::Run run;
        run.capture = capture;
        run.host = "h";
        run.boot = "b";
        ASSERT_TRUE(spool_->begin(run));
    }
    [[nodiscard]] std::string folder() const { return directory_.file("spool"); }

    static retain::Delivery framed(const wire::Frame& frame, const retain::BatchFacts& facts = {}) {
        return {std::make_shared<const std::string>(wire::encode_frame(frame)), facts};
    }
    static retain::Delivery named(std::uint32_t channel) {
        wire::Frame frame;
        frame.mutable_channel()->set_id(channel);
        frame.mutable_channel()->set_name("c" + std::to_string(channel));
        return framed(frame);
    }
    static retain::Delivery clock(std::uint64_t tick, std::int64_t realtime_ns) {
        wire::Frame frame;
        frame.mutable_clock()->set_tick(tick);
        frame.mutable_clock()->set_monotonic_raw_ns(realtime_ns);
        frame.mutable_clock()->set_realtime_ns(realtime_ns);
        return framed(frame);
    }
    // The next rows of channel 1, a tick apart, one tick a nanosecond.
    retain::Delivery rows(std::uint32_t count = kRows) {
        wire::EventBatch batch;
        batch.channel = {1};
        batch.first_index = next_index_;
        for (std::uint32_t i = 0; i < count; ++i) batch.add(1'000'000 + next_index_ + i, SLA_CODE_TICK_VALUE, i * 7919, 1);
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        const retain::BatchFacts facts{{1}, next_index_, batch.ticks.front(), batch.ticks.back(), count, count};
        next_index_ += count;
        return framed(frame, facts);
    }
    // Letters that hardly compress, so that pieces fill.
    retain::Delivery notice(std::size_t bytes) {
        std::string text(bytes, ' ');
        for (char& letter : text) letter = static_cast<char>('!' + random_() % 90);
        wire::Frame frame;
        frame.mutable_notice()->set_text(text);
        return framed(frame);
    }
    static std::uint64_t rows_in(const std::string& path) {
        const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(path);
        EXPECT_TRUE(index) << path;
        std::uint64_t rows = 0;
        if (!index) return rows;
        EXPECT_TRUE(index->finished()) << path;
        for (const auto& lane : index->lanes()) {
            for (const auto& summary : lane.summaries) rows += summary.rows;
        }
        return rows;
    }
    std::uint64_t rows_in_all(const std::string& capture) {
        std::uint64_t sum = 0;
        for (const std::uint64_t piece : spool_->pieces_of(capture)) sum += rows_in(spool_->path_of(capture, piece));
        return sum;
    }

    support::TempDir directory_;
    std::unique_ptr<Spool> spool_;
    std::uint64_t next_index_ = 0;
    std::mt19937 random_{1};
    const SpoolWriter::Time start_ = std::chrono::steady_clock::now();
};

}  // namespace sla::publish
