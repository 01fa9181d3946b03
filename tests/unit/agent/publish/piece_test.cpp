#include "agent/publish/piece.h"
#include "agent/publish/message_key.h"

#include "proto/common/tls/secret.h"
#include "proto/fleet/fleet.pb.h"
#include "tests/unit/agent/publish/spooled.h"

namespace sla::publish {
namespace {

using fleet::Kind;

class OnePiece : public Spooled {
protected:
    void SetUp() override {
        open_spool();
        begin("c");
        writer_.emplace(*spool_, "c");
    }
    void write(const retain::Delivery& delivery) { ASSERT_TRUE(writer_->add(delivery, start_)); }
    void flush() { ASSERT_TRUE(writer_->flush(start_)); }
    Piece open() {
        Result<Piece> piece = Piece::open(spool_->path_of("c", 1), {"h", "b", "c", 1, 0, Kind::kFrames}, secret_, 1e9);
        EXPECT_TRUE(piece);
        return std::move(*piece);
    }
    static std::optional<fleet::MessageHeaders> next(Piece& piece) {
        auto message = piece.next();
        EXPECT_TRUE(message) << message.error().message;
        if (!*message) return std::nullopt;
        return (*message)->headers;
    }

    std::optional<SpoolWriter> writer_;
    std::string secret_;
};

// Whoever takes the spool over sends them by the same ids; of another run, and of each message, they are others.
TEST_F(OnePiece, MessagesHaveIdsThatNobodyElseCanForetell) {
    write(clock(0, 5'000'000'000));
    write(rows());
    flush();
    const auto ids = [this](const std::string& secret) {
        secret_ = secret;
        Piece piece = open();
        const auto frames = next(piece);
        piece.acknowledge(0, Kind::kFrames, 77);
        const auto summary = next(piece);
        return std::pair(frames->id, summary->id);
    };
    const std::string secret = tls::make_token();
    const auto mine = ids(secret);
    EXPECT_EQ(mine, ids(secret));
    EXPECT_NE(mine.first.boot, mine.second.boot);
    EXPECT_NE(mine, ids(tls::make_token()));
    EXPECT_EQ(mine.first.boot.size(), std::string("b-").size() + 32);
    EXPECT_EQ(fleet::parse_message_id(mine.first.text()), mine.first);
    EXPECT_EQ(ids("").first.boot, "b") << "of an older agent";
}

TEST_F(OnePiece, SendsASummaryOnceItsFramesAreInTheStreamAndSaysWhere) {
    write(clock(0, 5'000'000'000));
    write(clock(1'000'000, 5'001'000'000));
    write(rows());
    flush();
    Piece piece = open();
    const auto frames = next(piece);
    ASSERT_TRUE(frames);
    EXPECT_EQ(frames->id.kind, Kind::kFrames);
    EXPECT_EQ(frames->rows, kRows);
    EXPECT_EQ(frames->times, (fleet::UtcInterval{5'001'000'000, 5'001'000'000 + kRows - 1}));
    EXPECT_FALSE(next(piece)) << "its summary waits";
    piece.acknowledge(0, Kind::kFrames, 77);
    const auto summary = next(piece);
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->id.kind, Kind::kSummary);
    EXPECT_EQ(summary->frames_at, 77u);
    EXPECT_EQ(summary->times, frames->times);
    piece.acknowledge(1, Kind::kSummary, 78);
    EXPECT_FALSE(next(piece)) << "the piece goes on";
    EXPECT_FALSE(piece.is_done());
    EXPECT_EQ(piece.events(), kRows);
}

TEST_F(OnePiece, SendsItsIndexWhenAllThatItListsIsInTheStream) {
    for (int i = 0; i < 2; ++i) {
        write(rows());
        flush();
    }
    ASSERT_TRUE(writer_->finish());
    Piece piece = open();
    EXPECT_EQ(next(piece)->id.sequence, 0u);
    EXPECT_EQ(next(piece)->id.sequence, 2u);
    piece.acknowledge(2, Kind::kFrames, 20);  // in whatever order
    piece.acknowledge(0, Kind::kFrames, 10);
    EXPECT_EQ(next(piece)->id.sequence, 1u);
    EXPECT_EQ(next(piece)->id.sequence, 3u);
    piece.acknowledge(3, Kind::kSummary, 21);
    EXPECT_FALSE(next(piece));
    piece.acknowledge(1, Kind::kSummary, 11);
    auto index = piece.next();
    ASSERT_TRUE(index && *index);
    EXPECT_EQ((*index)->headers.id.text(), "h:b:c:1:4:index");
    EXPECT_TRUE((*index)->headers.is_end);
    EXPECT_EQ((*index)->headers.rows, 2 * kRows);
    fleet::FleetIndex body;
    ASSERT_TRUE(wire::parse_message((*index)->body, body));
    EXPECT_TRUE(capture::decode_chunk_header(body.chunk()));
    EXPECT_EQ(std::vector<std::uint64_t>(body.frames_at().begin(), body.frames_at().end()),
              (std::vector<std::uint64_t>{10, 20}));
    EXPECT_EQ(std::vector<std::uint64_t>(body.summaries_at().begin(), body.summaries_at().end()),
              (std::vector<std::uint64_t>{11, 21}));
    EXPECT_FALSE(piece.is_done());
    piece.acknowledge(4, Kind::kIndex, 30);
    EXPECT_TRUE(piece.is_done());
}

TEST_F(OnePiece, SendsAgainWhatWasGivenBackAndNothingElse) {
    for (int i = 0; i < 3; ++i) {
        write(rows());
        flush();
    }
    Piece piece = open();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(next(piece));
    EXPECT_FALSE(next(piece));
    piece.give_back(2, Kind::kFrames);
    piece.acknowledge(0, Kind::kFrames, 1);
    piece.give_back(0, Kind::kFrames);  // an answer that came too late
    EXPECT_EQ(next(piece)->id.text(), "h:b:c:1:1:summary");
    EXPECT_EQ(next(piece)->id.text(), "h:b:c:1:2:frames");
    EXPECT_FALSE(next(piece));
    piece.acknowledge(0, Kind::kFrames, 9);  // twice
    piece.acknowledge(900, Kind::kFrames, 9);
    EXPECT_EQ(piece.events(), kRows);
}

TEST_F(OnePiece, IsFollowedWhileItIsWritten) {
    write(rows());
    flush();
    Piece piece = open();
    EXPECT_TRUE(next(piece));
    EXPECT_FALSE(next(piece));
    write(rows());
    EXPECT_FALSE(next(piece)) << "nothing of it is in the file yet";
    flush();
    EXPECT_EQ(next(piece)->id.sequence, 2u);
}

TEST_F(OnePiece, LooksAheadNoFurtherThanItMust) {
    for (std::size_t i = 0; i < Piece::kAhead; ++i) {
        write(rows(1));
        flush();
    }
    Piece piece = open();
    std::size_t sent = 0;
    while (next(piece)) sent++;
    EXPECT_LE(sent, Piece::kAhead / 2);
    for (std::size_t i = 0; i < sent; ++i) piece.acknowledge(2 * i, Kind::kFrames, i + 1);
    for (std::size_t i = 0; i < sent; ++i) ASSERT_TRUE(next(piece));
    for (std::size_t i = 0; i < sent; ++i) piece.acknowledge(2 * i + 1, Kind::kSummary, 1000 + i);
    EXPECT_TRUE(next(piece)) << "room for the next ones";
}

}  // namespace
}  // namespace sla::publish
