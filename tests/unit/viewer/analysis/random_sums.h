// Captures of random rows in a file that keeps sums over them, in pages and whole.
#pragma once

#include "proto/capture/capture_writer.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/frames.h"
#include "viewer/analysis/selection.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <random>

namespace sla::analysis {

inline constexpr std::uint32_t kChannels = 4;

// Spans, nested and side by side on three threads, and ticks; widths from nothing to minutes; losses of one thread and of
// all, which say how long they lasted or do not.
inline wire::EventBatch random_rows(std::mt19937_64& random, std::uint64_t& tick, std::size_t rows, bool losses_last) {
    static constexpr std::uint8_t kCodes[] = {SLA_CODE_TICK, SLA_CODE_BEGIN, SLA_CODE_END, SLA_CODE_END,
                                              SLA_CODE_VALUE_SIGNED};
    wire::EventBatch batch;
    const unsigned widest = 1 + random() % 36;
    const std::uint64_t losses = random() % 3 == 0 ? 2 + random() % 20 : 1000;
    for (std::size_t i = 0; i < rows; ++i) {
        tick += random() >> (63 - random() % widest);
        const bool is_gap = random() % losses == 0;
        const std::uint8_t code = is_gap ? std::uint8_t{SLA_CODE_GAP} : kCodes[random() % std::size(kCodes)];
        const auto thread = static_cast<std::uint32_t>(random() % 3 + (is_gap ? 0 : 1));
        batch.add(tick, code, is_gap ? 1 + random() % 9 : 0, thread);
        if (!is_gap || !losses_last || random() % 4 == 0) continue;
        wire::Extra extra;
        extra.position = static_cast<std::uint32_t>(batch.size() - 1);
        extra.cause = wire::LossCause::kOverrun;
        extra.until_tick = tick + 1 + (random() >> (63 - random() % (widest + 4)));
        batch.extras.push_back(extra);
    }
    return batch;
}

class RandomSums : public ::testing::Test {
protected:
    void write(std::uint64_t seed, int chunks, bool losses_last = false) {
        std::mt19937_64 random(seed);
        auto writer = capture::CaptureWriter::create(path_);
        ASSERT_TRUE(writer.ok());
        const auto put = [&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); };
        ingest::put_names(put, kChannels);
        std::uint64_t tick[kChannels + 1] = {};
        std::uint64_t next[kChannels + 1] = {};
        for (int chunk = 0; chunk < chunks; ++chunk) {
            for (std::uint32_t i = 1; i <= kChannels; ++i) {
                if (i == kChannels && random() % 3 != 0) continue;
                for (std::uint64_t batches = 1 + random() % 2; batches > 0; --batches) {
                    wire::EventBatch batch = random_rows(random, tick[i], 1 + random() % (i == 1 ? 3 : 300), losses_last);
                    batch.channel = ChannelId{i};
                    batch.first_index = next[i];
                    next[i] += batch.size();
                    put(ingest::batch_frame(batch));
                }
            }
            ASSERT_TRUE(writer->flush().ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    }
    void open(store::Session& paged, store::Session& whole) const {
        ASSERT_TRUE(ingest::load_file(path_, whole).ok());
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        ASSERT_TRUE(ingest::load_file(path_, paged, {}, options).ok());
        ASSERT_NE(paged.lanes()[0]->pages(), nullptr);
    }
    static Selection range_of(const store::Session& session, std::uint64_t from, std::uint64_t until) {
        Selection selection;
        selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        selection.from = from;
        selection.until = until;
        return selection;
    }

    const support::TemporaryPath temporary_{"sums.sla"};
    const std::filesystem::path& path_ = temporary_.path;
};

}  // namespace sla::analysis
