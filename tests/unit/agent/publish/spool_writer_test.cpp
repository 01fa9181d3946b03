#include "agent/publish/spool_writer.h"

#include "proto/capture/pieces/index_join.h"
#include "tests/unit/agent/publish/spooled.h"

namespace sla::publish {
namespace {

class WritingPieces : public Spooled {
protected:
    void SetUp() override {
        open_spool();
        begin("c");
        writer_.emplace(*spool_, "c");
    }
    std::optional<SpoolWriter> writer_;
};

TEST_F(WritingPieces, EachOpensAloneWithItsNames) {
    ASSERT_TRUE(writer_->add(named(1), start_));
    ASSERT_TRUE(writer_->add(rows(), start_));
    ASSERT_TRUE(writer_->flush(start_));
    EXPECT_EQ(writer_->pieces(), 1u);
    ASSERT_TRUE(writer_->flush(start_ + std::chrono::seconds(11)));  // it is old now
    ASSERT_TRUE(writer_->add(rows(), start_));
    EXPECT_EQ(writer_->pieces(), 2u);
    ASSERT_TRUE(writer_->finish());
    for (const std::uint64_t piece : {1, 2}) {
        const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(spool_->path_of("c", piece));
        ASSERT_TRUE(index);
        bool has_name = false;
        for (const std::string& message : index->lasting()) {
            wire::Frame frame;
            has_name = has_name || (wire::parse_message(message, frame) && frame.channel().name() == "c1");
        }
        EXPECT_TRUE(has_name) << piece;
        EXPECT_EQ(rows_in(spool_->path_of("c", piece)), kRows);
    }
    EXPECT_EQ(writer_->written().events, 2 * kRows);
}

// The cluster may have forgotten by then what the names in the old piece were.
TEST_F(WritingPieces, RowsAfterALongSilenceBeginAPieceOfTheirOwn) {
    ASSERT_TRUE(writer_->add(named(1), start_));
    ASSERT_TRUE(writer_->flush(start_));
    ASSERT_TRUE(writer_->flush(start_ + std::chrono::minutes(5)));
    EXPECT_EQ(writer_->pieces(), 1u) << "a silence alone makes no pieces";
    ASSERT_TRUE(writer_->add(rows(), start_ + std::chrono::minutes(5)));
    EXPECT_EQ(writer_->pieces(), 2u);
    ASSERT_TRUE(writer_->add(rows(), start_ + std::chrono::minutes(5)));
    EXPECT_EQ(writer_->pieces(), 2u);
    ASSERT_TRUE(writer_->finish());
    EXPECT_EQ(rows_in(spool_->path_of("c", 2)), 2 * kRows);
    EXPECT_EQ(writer_->written().events, 2 * kRows);
}

TEST_F(WritingPieces, ASpanThatIsOpenWhereAPieceEndsGoesOnInTheNext) {
    const auto row = [](std::uint64_t index, std::uint8_t code) {
        wire::EventBatch batch;
        batch.channel = {1};
        batch.first_index = index;
        batch.add(1000 + index, code, 0, 1);
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        return framed(frame, {{1}, index, batch.ticks.front(), batch.ticks.back(), 1, 1});
    };
    ASSERT_TRUE(writer_->add(named(1), start_));
    ASSERT_TRUE(writer_->add(row(0, SLA_CODE_BEGIN), start_));
    ASSERT_TRUE(writer_->flush(start_ + std::chrono::seconds(11)));
    ASSERT_TRUE(writer_->add(row(1, SLA_CODE_END), start_ + std::chrono::seconds(11)));
    ASSERT_TRUE(writer_->finish());
    ASSERT_EQ(writer_->pieces(), 2u);
    capture::IndexJoin join;
    for (const std::uint64_t piece : {1, 2}) {
        Result<capture::CaptureIndex> index = capture::CaptureIndex::open(spool_->path_of("c", piece));
        ASSERT_TRUE(index);
        join.add(std::move(*index), piece << 32);
    }
    const capture::CaptureIndex whole = join.finish(0);
    EXPECT_TRUE(whole.states_known());
    ASSERT_EQ(whole.lanes().size(), 1u);
    ASSERT_EQ(whole.lanes()[0].crossed.size(), 1u);
    EXPECT_EQ(whole.lanes()[0].crossed[0].end_tick, 1001u);
}

TEST_F(WritingPieces, TheSpoolKnowsItsBytes) {
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(writer_->add(rows(), start_));
    ASSERT_TRUE(writer_->finish());
    std::uint64_t bytes = 0;
    for (const std::uint64_t piece : spool_->pieces_of("c"))
        bytes += std::filesystem::file_size(spool_->path_of("c", piece));
    EXPECT_EQ(spool_->bytes(), bytes);
    for (const std::uint64_t piece : spool_->pieces_of("c")) spool_->remove("c", piece);
    EXPECT_EQ(spool_->bytes(), 0u);
}

TEST_F(WritingPieces, WordsAloneMakeAPieceFullTooButNotThoseThatItBeginsWith) {
    for (std::uint32_t channel = 1; channel <= 4000; ++channel) ASSERT_TRUE(writer_->add(named(channel), start_));
    ASSERT_TRUE(writer_->flush(start_));
    const std::uint64_t before = writer_->pieces();
    const std::uint64_t piece = SpoolWriter::piece_bytes(kLimit);
    for (std::uint64_t bytes = 0; bytes < 3 * piece; bytes += 1 << 16) {
        ASSERT_TRUE(writer_->add(notice(1 << 16), start_));
        ASSERT_TRUE(writer_->flush(start_ + std::chrono::hours(1)));
    }
    EXPECT_GE(writer_->pieces(), before + 2);
    EXPECT_LE(writer_->pieces(), before + 3);
    ASSERT_TRUE(writer_->finish());
}

// A thread a request: their names alone would be more than a piece may have.
TEST_F(WritingPieces, NamesOfVeryManyThreadsDoNotFillEveryPiece) {
    spool_.reset();
    open_spool(std::uint64_t{512} << 10);  // of pieces of 64 KiB
    begin("d");
    writer_.emplace(*spool_, "d");
    const auto write = [&](const retain::Delivery& delivery) {
        EXPECT_TRUE(writer_->add(delivery, start_));
        EXPECT_TRUE(writer_->flush(start_));
    };
    for (std::uint32_t id = 1; id <= 16'384; ++id) {
        wire::Frame frame;
        frame.mutable_thread()->set_id(id);
        frame.mutable_thread()->set_source(1);
        frame.mutable_thread()->set_name(std::to_string(random_()) + std::to_string(random_()));
        EXPECT_TRUE(writer_->add(framed(frame), start_));
    }
    write(rows());
    for (const std::uint64_t piece = writer_->pieces(); writer_->pieces() == piece;) write(rows(10'000));
    const std::uint64_t begun = writer_->pieces();
    for (int i = 0; i < 5; ++i) write(rows());
    EXPECT_EQ(writer_->pieces(), begun) << "some KiB";
}

TEST_F(WritingPieces, APieceThatIsFullIsFollowedByTheNextAndNoRowIsInTwo) {
    std::uint64_t written = 0;
    while (writer_->pieces() < 3) {
        ASSERT_TRUE(writer_->add(rows(8000), start_));
        ASSERT_TRUE(writer_->flush(start_));
        written += 8000;
    }
    ASSERT_TRUE(writer_->finish());
    EXPECT_EQ(rows_in_all("c"), written);
    EXPECT_EQ(writer_->written().events, written);
}

// The disk refuses at any place: every row is in one piece all the same, once it takes something again.
TEST_F(WritingPieces, NothingIsLostOrTwiceWhenTheDiskWasFullForAWhile) {
    for (std::uint64_t limit = 40; limit < 3000; limit += 41) {
        const std::string capture = "full-" + std::to_string(limit);
        begin(capture);
        SpoolWriter writer(*spool_, capture);
        std::uint64_t written = 0;
        bool has_failed = false;
        {
            const FullDisk full(limit);
            for (int i = 0; i < 12 && !has_failed; ++i) {
                has_failed = !writer.add(i == 0 ? named(1) : rows(), start_) || !writer.flush(start_);
                written += i == 0 ? 0 : kRows;
                if (i == 8 && !has_failed) has_failed = !writer.flush(start_ + std::chrono::seconds(11));
            }
            for (int again = 0; again < 3; ++again)
                EXPECT_FALSE(has_failed && writer.mend(start_) && limit < 300) << "it is full still";
        }
        ASSERT_TRUE(writer.mend(start_)) << limit << ": " << writer.problem();
        ASSERT_TRUE(writer.add(rows(), start_)) << limit;
        ASSERT_TRUE(writer.finish()) << limit;
        written += kRows;
        ASSERT_EQ(rows_in_all(capture), written) << limit;
        const std::vector<std::uint64_t> pieces = spool_->pieces_of(capture);
        ASSERT_EQ(pieces.size(), writer.readable_pieces()) << limit;
        for (std::uint64_t piece = 1; piece <= pieces.size(); ++piece) {
            ASSERT_EQ(pieces[piece - 1], piece) << limit;
            const Result<capture::CaptureIndex> index = capture::CaptureIndex::open(spool_->path_of(capture, piece));
            ASSERT_TRUE(index) << limit;
            EXPECT_FALSE(index->chunks().empty()) << limit << ": piece " << piece << " would be a hole in the stream";
        }
        ASSERT_EQ(writer.written().events, written) << limit;
    }
}

TEST_F(WritingPieces, AtLeastEightFindSpaceInASpool) {
    EXPECT_EQ(SpoolWriter::piece_bytes(std::uint64_t{2} << 30), std::uint64_t{8} << 20);
    EXPECT_EQ(SpoolWriter::piece_bytes(std::uint64_t{8} << 20), std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace sla::publish
