// Numbers of rows in a file: without holes behind rows that tell of what its writer did not get, whatever they are in the stream.
#include "proto/capture/summary/row_numbers.h"

#include "proto/capture/capture_index.h"
#include "proto/capture/capture_reader.h"
#include "proto/capture/capture_writer.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/unit/proto/capture/capture_files.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace sla::capture {
namespace {

constexpr std::uint32_t kChannel = 7;

wire::EventBatch rows(std::uint64_t first, std::uint64_t count) {
    wire::EventBatch batch;
    batch.channel = ChannelId{kChannel};
    batch.first_index = first;
    for (std::uint64_t i = 0; i < count; ++i) batch.add(1000 * first + i, SLA_CODE_TICK_VALUE, first + i, 1);
    return batch;
}

wire::EventBatch missed(std::uint64_t first, std::uint64_t events, wire::LossCause cause) {
    wire::EventBatch batch;
    batch.channel = ChannelId{kChannel};
    batch.first_index = first;
    batch.add(1000 * first, SLA_CODE_GAP, events, 0);
    batch.extras.push_back({0, cause, 1000 * first + 1});
    return batch;
}

std::uint64_t shift_of(RowNumbers& numbers, wire::EventBatch batch) {
    return numbers.close_holes(batch);
}

TEST(RowNumbers, CloseHolesThatARowExplains) {
    RowNumbers numbers;
    EXPECT_EQ(shift_of(numbers, missed(0, 7000, wire::LossCause::kNotKept)), 0U);
    EXPECT_EQ(shift_of(numbers, rows(7000, 1000)), 6999U);
    EXPECT_EQ(shift_of(numbers, missed(8000, 1500, wire::LossCause::kLagged)), 6999U);
    EXPECT_EQ(shift_of(numbers, rows(9500, 10)), 6999U + 1499U);
    EXPECT_FALSE(numbers.go_on(kChannel, 9510)) << "numbers are to be lower from now on";
    EXPECT_EQ(shift_of(numbers, rows(9510, 10)), 6999U + 1499U);
    wire::EventBatch lowered = rows(9520, 10);
    numbers.close_holes(lowered);
    EXPECT_EQ(lowered.first_index, 1022U);
}

TEST(RowNumbers, LeaveHolesThatNoRowExplains) {
    RowNumbers numbers;
    EXPECT_EQ(shift_of(numbers, rows(100, 10)), 0U) << "a stream may begin anywhere";
    EXPECT_TRUE(numbers.go_on(kChannel, 110));
    EXPECT_FALSE(numbers.go_on(kChannel, 111));
    EXPECT_EQ(shift_of(numbers, rows(200, 10)), 0U);
    EXPECT_EQ(shift_of(numbers, missed(210, 5, wire::LossCause::kOverrun)), 0U);
    EXPECT_EQ(shift_of(numbers, rows(215, 10)), 0U) << "what was lost by a ring never had a number";
    EXPECT_EQ(shift_of(numbers, missed(225, 5, wire::LossCause::kLagged)), 0U);
    EXPECT_EQ(shift_of(numbers, rows(300, 10)), 0U) << "more is missing than it says";
}

TEST(RowNumbers, KnowOfAChannelAtRestWhatItsNextRowsNeed) {
    RowNumbers numbers;
    numbers.take(kChannel, 0, 10);
    EXPECT_GT(numbers.bytes(), 0U);
    numbers.rest(kChannel);
    EXPECT_EQ(numbers.bytes(), 0U);
    EXPECT_EQ(shift_of(numbers, missed(10, 90, wire::LossCause::kLagged)), 0U);
    numbers.rest(kChannel);
    EXPECT_EQ(shift_of(numbers, rows(100, 10)), 89U) << "the row that explains the hole was not forgotten";
    numbers.rest(kChannel);
    EXPECT_EQ(shift_of(numbers, rows(110, 10)), 89U);
    numbers.forget(kChannel);
    EXPECT_EQ(shift_of(numbers, rows(0, 10)), 0U);
}

std::string frame_of(const wire::EventBatch& batch) {
    wire::Frame frame;
    wire::encode_batch(batch, *frame.mutable_batch());
    return frame.SerializeAsString();
}

TEST(RowNumbers, OfAFileAreWithoutHolesInItsRowsAndInItsIndexOverTwoFiles) {
    const Folder directory;
    const std::vector<std::string> files{directory.file("a.sla"), directory.file("b.sla")};
    const std::vector<wire::EventBatch> batches{missed(0, 7000, wire::LossCause::kNotKept),  rows(7000, 30), rows(7030, 30),
                                                missed(7060, 100, wire::LossCause::kLagged), rows(7160, 30), rows(7190, 30)};
    auto writer = CaptureWriter::create(files[0], {.chunk_rows = 20});
    ASSERT_TRUE(writer.ok());
    for (std::size_t i = 0; i < batches.size(); ++i) {
        if (i == batches.size() - 1) {
            ASSERT_TRUE(writer->finish().ok());
            auto next = CaptureWriter::create_after(*writer, files[1], {.chunk_rows = 20});
            ASSERT_TRUE(next.ok());
            *writer = std::move(*next);
        }
        ASSERT_TRUE(writer->append(frame_of(batches[i])).ok());
    }
    ASSERT_TRUE(writer->finish().ok());

    std::uint64_t next = 0;
    std::uint64_t next_summed = 0;
    for (const std::string& file : files) {
        const auto index = CaptureIndex::open(file);
        ASSERT_TRUE(index.ok());
        for (const LaneSummary& one : index->lane(ChannelId{kChannel})->summaries) {
            EXPECT_EQ(one.first_index, next_summed);
            next_summed += one.rows;
        }
        auto reader = CaptureReader::open(file);
        ASSERT_TRUE(reader.ok());
        while (const auto message = reader->next()) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(std::string(*message)));
            wire::EventBatch batch;
            if (!frame.has_batch()) continue;
            ASSERT_TRUE(wire::decode_batch(frame.batch(), batch));
            EXPECT_EQ(batch.first_index, next);
            next += batch.size();
        }
    }
    EXPECT_EQ(next, 122U);
    EXPECT_EQ(next_summed, 122U);
}

}  // namespace
}  // namespace sla::capture
