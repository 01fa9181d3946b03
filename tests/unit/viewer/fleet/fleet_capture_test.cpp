// A capture in a fleet answers every question like the files it was published from; what the stream doubles or lies about is
// dropped or said.
#include "tests/unit/viewer/fleet/published_capture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sla::fleet {
namespace {

TEST_F(FleetCaptureTest, AnswersLikeItsFiles) {
    publish(1);
    expect_as_in_the_files();
}

TEST_F(FleetCaptureTest, WhatNoIndexListsYetComesFromSummaries) {
    publish(2, true);
    expect_as_in_the_files();
}

TEST_F(FleetCaptureTest, SecondCopiesAreDropped) {
    publish(3, true);
    std::vector<FakeStream::Kept> copies;
    for (const auto& [sequence, kept] : stream_->messages()) {
        if (sequence % 3 == 0) copies.push_back(kept);
    }
    for (const FakeStream::Kept& kept : copies) stream_->put(kept.subject, *kept.message.headers, kept.message.body);
    expect_as_in_the_files();
}

TEST_F(FleetCaptureTest, OrderInTheStreamDoesNotMatter) {
    publish(4, true);
    // Of the piece that no index lists, summaries come last and backwards, as after resends.
    std::vector<FakeStream::Kept> late;
    for (const auto& [sequence, kept] : stream_->messages()) {
        const MessageId& id = kept.message.headers->id;
        if (id.kind == Kind::kSummary && id.piece == 4) late.push_back(kept);
    }
    for (const FakeStream::Kept& kept : late) stream_->messages().erase(kept.message.sequence);
    std::reverse(late.begin(), late.end());
    for (const FakeStream::Kept& kept : late) stream_->put(kept.subject, *kept.message.headers, kept.message.body);
    expect_as_in_the_files();
}

TEST_F(FleetCaptureTest, AnExpiredBeginningIsLateAndTheRestIsThere) {
    publish(5);
    stream_->expire_below(first_of(Kind::kFrames, 2).message.sequence);
    Session paged;
    Session whole;
    ASSERT_TRUE(load(paged, 0).ok());
    ASSERT_TRUE(load(whole, 1'000'000'000).ok());
    EXPECT_TRUE(paged.begins_late());
    EXPECT_TRUE(whole.begins_late());
    EXPECT_LT(whole.events(), files_.events());
    ingest::expect_same_rows(paged, whole);
}

TEST_F(FleetCaptureTest, OfAPieceThatHasHalfExpiredItsNamesAreKnown) {
    publish(6);
    const std::uint64_t first = first_of(Kind::kFrames, 2).message.sequence;
    stream_->expire_below(first + 9);
    Session session;
    const auto loaded = load(session, 1'000'000'000);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_TRUE(session.begins_late());
    EXPECT_EQ(session.lanes().size(), ingest::kRandomChannels);
}

TEST_F(FleetCaptureTest, FramesThatAreMissingAreLossRowsAndSaid) {
    publish(7);
    stream_->messages().erase(first_of(Kind::kFrames, 2).message.sequence);
    expect_damage_is_said();
}

// As while an agent sends again what was not acknowledged: what came behind it is there already.
TEST_F(FleetCaptureTest, AChunkThatIsNotThereYetIsSaid) {
    publish(13, true);
    const MessageId second = [&] {
        std::uint64_t summaries = 0;
        for (const auto& [sequence, kept] : stream_->messages()) {
            const MessageId& id = kept.message.headers->id;
            if (id.piece == 4 && id.kind == Kind::kSummary && ++summaries == 2) return id;
        }
        ADD_FAILURE() << "there is none";
        return MessageId{};
    }();
    std::erase_if(stream_->messages(), [&](const auto& entry) {
        const MessageId& id = entry.second.message.headers->id;
        return id.piece == second.piece && (id.sequence == second.sequence || id.sequence + 1 == second.sequence);
    });
    expect_damage_is_said("of piece 4 is not in the stream");
}

TEST_F(FleetCaptureTest, APieceThatIsMissingIsSaid) {
    publish(8);
    std::erase_if(stream_->messages(), [](const auto& entry) { return entry.second.message.headers->id.piece == 2; });
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
        Session session;
        ASSERT_TRUE(load(session, rows_in_memory).ok());
        EXPECT_TRUE(std::any_of(session.notes().begin(), session.notes().end(), [](const store::Note& note) {
            return note.damage && note.text.find("pieces 2 to 2 are missing") != std::string::npos;
        }));
    }
}

TEST_F(FleetCaptureTest, AHostileClusterIsNotBelieved) {
    using Lie = std::function<void(FakeStream::Kept&)>;
    const std::string other = "the message is not the one that the index tells of";
    const std::vector<std::pair<std::string, Lie>> lies = {
        {"checksum", [](auto& kept) { kept.message.body.back() = static_cast<char>(~kept.message.body.back()); }},
        {"its length is wrong", [](auto& kept) { kept.message.body += "more"; }},
        {"its length is wrong", [](auto& kept) { kept.message.body.resize(kept.message.body.size() / 2); }},
        {"these bytes are no chunk", [](auto& kept) { kept.message.body.clear(); }},
        {"the cluster answers with something else", [](auto& kept) { kept.message.headers.reset(); }},
        {other, [](auto& kept) { kept.message.headers->id.sequence += 2; }},
        {other, [](auto& kept) { kept.message.headers->id.piece += 1; }},
        {other, [](auto& kept) { kept.message.headers->id.host = "another"; }},
    };
    publish(9);
    const FakeStream sound = *stream_;
    for (const auto& [in_words, lie] : lies) {
        *stream_ = sound;
        lie(first_of(Kind::kFrames, 2));
        expect_damage_is_said(in_words);
    }
    // Lies in an index leave its summaries, from which the same is known; one that passes for another piece's takes its place.
    for (std::size_t i = 0; i < lies.size(); ++i) {
        *stream_ = sound;
        lies[i].second(first_of(Kind::kIndex, 2));
        Session session;
        const auto loaded = load(session, 1'000'000'000);
        ASSERT_TRUE(loaded.ok()) << i << ": " << loaded.error().message;
        if (session.damage_count() == 0 || session.events() == files_.events()) ingest::expect_same_rows(session, files_);
        EXPECT_LE(session.events(), files_.events());
        EXPECT_TRUE(session.damage_count() > 0 || session.events() == files_.events()) << i;  // one was made of summaries
    }
}

TEST_F(FleetCaptureTest, AnIndexThatLiesAboutPlacesGivesNoRowsThatWereNotRecorded) {
    publish(10);
    const FakeStream sound = *stream_;
    for (int lie = 0; lie < 3; ++lie) {
        *stream_ = sound;
        FakeStream::Kept& kept = first_of(Kind::kIndex, 2);
        FleetIndex index;
        ASSERT_TRUE(index.ParseFromString(kept.message.body));
        for (int i = 0; i < index.frames_at_size(); ++i) {
            if (lie == 0) index.set_frames_at(i, index.frames_at(0));
            if (lie == 1) index.set_frames_at(i, kept.message.sequence + 1000);
            if (lie == 2) index.set_frames_at(i, index.summaries_at(i));
        }
        kept.message.body = index.SerializeAsString();
        Session session;
        ASSERT_TRUE(load(session, 1'000'000'000).ok());
        for (std::size_t i = 0; i < session.lanes().size(); ++i) {
            EXPECT_LE(session.lanes()[i]->events(), files_.lanes()[i]->events());
        }
    }
}

}  // namespace
}  // namespace sla::fleet
