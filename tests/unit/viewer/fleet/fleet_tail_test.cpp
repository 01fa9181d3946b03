// What is published while somebody looks comes in order and once, and stands behind what was opened as if it had been there.
#include "viewer/fleet/fleet_tail.h"
#include "tests/support/published_pieces.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/fleet/fake_stream.h"
#include "tests/unit/viewer/ingest/random_series.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/fleet/fleet_capture.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/follow/fleet_following.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace sla::fleet {
namespace {

using std::chrono::seconds;
using store::Session;
using Messages = std::vector<FakeStream::Kept>;

class FollowingAFleet : public ::testing::Test {
protected:
    FollowingAFleet() {
        std::filesystem::create_directories(temporary_.path);
        const std::string path = (temporary_.path / "rec.sla").string();
        ingest::write_random_series(path, 21, 30, 10);
        EXPECT_TRUE(ingest::load_file(path, files_).ok());
        support::PiecePublisher publisher(published_, [this](const auto& subject, const auto& headers, const auto& body) {
            all_.push_back({subject, {all_.size() + 1, headers, body}});
            return all_.size();
        });
        const std::vector<std::string> files = capture::files_of_series(path);
        for (std::size_t i = 0; i < files.size(); ++i) EXPECT_TRUE(publisher.publish(files[i], i + 1));
        for (FakeStream::Kept& kept : all_) say_piece(kept);
    }
    // Files of a series say in which file they go on, an agent's pieces in which piece.
    static void say_piece(FakeStream::Kept& kept) {
        if (kept.message.headers->id.kind != Kind::kFrames) return;
        std::string raw;
        const auto header = capture::decode_chunk_header(kept.message.body);
        ASSERT_TRUE(header);
        const std::string stored = kept.message.body.substr(capture::kChunkHeaderBytes);
        ASSERT_TRUE(capture::ChunkUnpacker().unpack(*header, stored, raw).ok());
        std::string_view rest = raw;
        std::string again;
        while (const auto bytes = capture::take_frame(rest)) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
            if (frame.has_end() && frame.end().reason().starts_with("goes on")) {
                frame.mutable_end()->set_reason("goes on in piece 9");
                capture::append_frame(frame.SerializeAsString(), again);
            } else {
                capture::append_frame(*bytes, again);
            }
        }
        kept.message.body =
            capture::ChunkPacker().pack(capture::ChunkKind::kFrames, again, header->frames, header->sequence);
    }
    [[nodiscard]] CaptureName name() const {
        return {published_.fleet, published_.shard, published_.host, published_.capture};
    }
    void put(const FakeStream::Kept& kept) { stream_->put_at(kept); }
    FleetTail tail(const TailStart& start = {}) const { return {stream_, name(), start}; }
    // All that it gives at that time.
    std::vector<ChunkKey> take_all(FleetTail& tail, seconds at = seconds(0)) {
        std::vector<ChunkKey> keys;
        for (;;) {
            const auto chunk = tail.next(FleetTail::Time(at));
            EXPECT_TRUE(chunk.ok());
            if (!chunk.ok() || !*chunk) return keys;
            keys.push_back((*chunk)->key);
            damage_ += (*chunk)->damage;
            has_ended_ = has_ended_ || (*chunk)->ends_capture;
        }
    }
    [[nodiscard]] std::vector<ChunkKey> keys_of(const Messages& messages) const {
        std::vector<ChunkKey> keys;
        for (const FakeStream::Kept& kept : messages) {
            const MessageId& id = kept.message.headers->id;
            if (id.kind == Kind::kFrames) keys.push_back({id.piece, id.sequence});
        }
        return keys;
    }
    ingest::FollowOptions options(const TailStart& start) {
        RunEntry run;
        run.host = published_.host;
        run.capture = published_.capture;
        runs_ = {run};
        return {{{run, stream_, name(), start, 0}}, nullptr, [this] { return Result<std::vector<RunEntry>>(runs_); }};
    }
    // The first so many messages are there when it is opened, the rest comes afterwards.
    void open_and_follow(std::size_t before, std::uint64_t rows_in_memory, Session& session) {
        stream_->begin_anew();  // the places that indices give are counted from there
        for (std::size_t i = 0; i < before; ++i) put(all_[i]);
        auto opened = open_messages(stream_, {name(), "the fleet", {}}, *stream_->state(), Opening::kToFollow);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        ingest::FileOptions file;
        file.rows_in_memory = rows_in_memory;
        file.cache_bytes = 100'000;
        file.is_followed = true;
        auto source = ingest::FileSource::open(opened->store, file);
        ASSERT_TRUE(source.ok()) << source.error().message;
        ingest::FrameApplier applier(session);
        while (source->step(applier, std::chrono::milliseconds(1000))) {
        }
        source->go_on(applier);
        if (rows_in_memory == 0) {
            const auto paged = ingest::PagedCapture::open_to_go_on(opened->store);
            ASSERT_TRUE(paged.ok()) << paged.error().message;
        }
        ingest::FleetFollowing following(options(opened->tail), FleetTail::Time());
        const auto give = [&](const ingest::FrameItem& item) { applier.apply(item); };
        while (following.step(FleetTail::Time(), give)) {
        }
        for (std::size_t i = before; i < all_.size(); ++i) {
            put(all_[i]);
            while (following.step(FleetTail::Time(), give)) {
            }
        }
    }

    const support::TemporaryPath temporary_{"tail"};
    const support::PublishedName published_;
    const std::shared_ptr<FakeStream> stream_ = std::make_shared<FakeStream>();
    Messages all_;
    Session files_;
    std::vector<RunEntry> runs_;
    std::string damage_;
    bool has_ended_ = false;
    std::mt19937_64 random_{3};
};

TEST_F(FollowingAFleet, EveryChunkComesOnceAndInOrder) {
    FleetTail following = tail();
    std::vector<ChunkKey> got;
    for (const FakeStream::Kept& kept : all_) {
        put(kept);
        if (random_() % 3 == 0) put(kept);  // resent
        for (const ChunkKey& key : take_all(following)) got.push_back(key);
    }
    EXPECT_EQ(got, keys_of(all_));
    EXPECT_TRUE(has_ended_);
    EXPECT_EQ(damage_, "");
}

TEST_F(FollowingAFleet, WhatComesLateIsWaitedFor) {
    Messages mixed = all_;
    for (std::size_t i = 0; i + 12 < mixed.size(); i += 12)
        std::shuffle(mixed.begin() + static_cast<std::ptrdiff_t>(i), mixed.begin() + static_cast<std::ptrdiff_t>(i) + 12,
                     random_);
    FleetTail following = tail();
    std::vector<ChunkKey> got;
    std::size_t most_held = 0;
    for (const FakeStream::Kept& kept : mixed) {
        put(kept);
        for (const ChunkKey& key : take_all(following)) got.push_back(key);
        most_held = std::max(most_held, following.held());
    }
    EXPECT_EQ(got, keys_of(all_));
    EXPECT_GT(most_held, 0u);
    EXPECT_EQ(damage_, "");
}

TEST_F(FollowingAFleet, WhatNeverComesIsWaitedForAWhileAndThenSaid) {
    const std::vector<ChunkKey> keys = keys_of(all_);
    for (const FakeStream::Kept& kept : all_) {
        const MessageId& id = kept.message.headers->id;
        if (ChunkKey{id.piece, id.sequence} != keys[3]) put(kept);
    }
    FleetTail following = tail();
    EXPECT_EQ(take_all(following).size(), 3u);
    EXPECT_EQ(take_all(following, FleetTail::kTimeout - seconds(1)).size(), 0u);
    EXPECT_EQ(take_all(following, FleetTail::kTimeout).size(), keys.size() - 4);
    EXPECT_NE(damage_.find("something never came"), std::string::npos) << damage_;
}

TEST_F(FollowingAFleet, MemoryIsBoundedWhenMuchIsMissing) {
    for (std::size_t i = 1; i <= 3 * FleetTail::kMaxHeld; ++i) {  // of one piece, its first chunk is missing
        FakeStream::Kept kept = all_.front();
        kept.message.headers->id.sequence = 2 * i;
        put(kept);
    }
    FleetTail following = tail();
    EXPECT_EQ(take_all(following).size(), 3 * FleetTail::kMaxHeld);
    EXPECT_LE(following.held(), FleetTail::kMaxHeld);
}

TEST_F(FollowingAFleet, ChunksThatLieAreLeftOutAndSaid) {
    const std::vector<std::pair<const char*, std::function<void(FakeStream::Kept&)>>> lies = {
        {"cannot be read", [](auto& kept) { kept.message.body.back() = static_cast<char>(~kept.message.body.back()); }},
        {"cannot be read", [](auto& kept) { kept.message.body.resize(20); }},
        {"cannot be read", [](auto& kept) { kept.message.body.clear(); }},
        {"never came", [](auto& kept) { kept.message.headers.reset(); }},
        {"never came", [](auto& kept) { kept.message.headers->id.host = "another"; }},
        {"never came", [](auto& kept) { kept.message.headers->id.capture = "another"; }},
    };
    for (const auto& [what, lie] : lies) {
        stream_->messages().clear();
        damage_.clear();
        bool is_done = false;
        for (FakeStream::Kept kept : all_) {
            if (!is_done && kept.message.headers->id.kind == Kind::kFrames && kept.message.headers->id.sequence == 2) {
                lie(kept);
                is_done = true;
            }
            put(kept);
        }
        FleetTail following = tail();
        take_all(following);
        take_all(following, FleetTail::kTimeout);
        EXPECT_NE(damage_.find(what), std::string::npos) << damage_;
    }
}

TEST_F(FollowingAFleet, PagesAndWhatComesAreLikeTheFiles) {
    for (const std::size_t before : {std::size_t{12}, std::size_t{31}, std::size_t{50}}) {
        Session session;
        ASSERT_NO_FATAL_FAILURE(open_and_follow(before, 0, session));
        ASSERT_NE(session.lanes()[0]->pages(), nullptr);
        EXPECT_TRUE(session.ended());
        ingest::expect_same_rows(session, files_);
        ingest::expect_same_sums(session, files_, random_);
        ingest::expect_same_spans(session, files_, random_);
        EXPECT_EQ(session.damage_count(), 0u) << before;
    }
}

TEST_F(FollowingAFleet, RowsInMemoryAndWhatComesAreLikeTheFiles) {
    Session session;
    ASSERT_NO_FATAL_FAILURE(open_and_follow(20, 1'000'000'000, session));
    ASSERT_EQ(session.lanes()[0]->pages(), nullptr);
    ingest::expect_same_rows(session, files_);
    ingest::expect_same_spans(session, files_, random_);
    EXPECT_EQ(session.damage_count(), 0u);
}

TEST_F(FollowingAFleet, WhoIsSilentAndWhoHasEndedIsSaid) {
    for (const FakeStream::Kept& kept : all_) put(kept);
    TailStart start;
    ingest::FleetFollowing following(options(start), FleetTail::Time());
    const auto give = [](const ingest::FrameItem&) {};
    EXPECT_EQ(following.report(FleetTail::Time()).message, "");
    const auto later = FleetTail::Time(seconds(11));
    EXPECT_EQ(following.report(later).message, "nothing has been heard of web-1 for 10 s or more");
    EXPECT_EQ(following.report(later + seconds(15)).message, following.report(later).message)
        << "it is not said each second";
    EXPECT_EQ(following.report(later).silent, 1u);
    runs_[0].seen_ns = 77;
    following.look(later);
    EXPECT_EQ(following.report(later).message, "");
    while (following.step(later, give)) {
    }
    EXPECT_EQ(following.report(later).message, "web-1 has ended");
    EXPECT_FALSE(following.report(later).wants_reopening);
    runs_[0].capture = "a-new-one";
    runs_[0].published = 1;
    following.look(later);
    EXPECT_TRUE(following.report(later).wants_reopening);
}

}  // namespace
}  // namespace sla::fleet
