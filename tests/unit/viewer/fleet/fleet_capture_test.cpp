// A capture in a fleet answers every question like the files it was published from; what the stream lacks, doubles or lies about
// is dropped or said.
#include "viewer/fleet/fleet_capture.h"

#include "tests/support/published_pieces.h"
#include "tests/support/temporary_path.h"
#include "tests/support/unreadable_of.h"
#include "tests/unit/viewer/fleet/fake_stream.h"
#include "tests/unit/viewer/ingest/random_series.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace sla::fleet {
namespace {

using store::Session;

class FleetCaptureTest : public ::testing::Test {
protected:
    FleetCaptureTest() { std::filesystem::create_directories(temporary_.path); }

    [[nodiscard]] std::string path(const std::string& name = "rec.sla") const { return (temporary_.path / name).string(); }
    // Four files of ten chunks, the last one of five, published; `unfinished`: the last one is not complete yet.
    void publish(std::uint64_t seed, bool unfinished = false) {
        ingest::write_random_series(path(), seed, 35, 10);
        ASSERT_TRUE(ingest::load_file(path(), files_).ok());
        support::PiecePublisher publisher(published_, [this](const auto& subject, const auto& headers, const auto& body) {
            return stream_->put(subject, headers, body);
        });
        const std::vector<std::string> files = capture::files_of_series(path());
        ASSERT_EQ(files.size(), 4u);
        for (std::size_t i = 0; i < files.size(); ++i) {
            ASSERT_TRUE(publisher.publish(files[i], i + 1, !unfinished || i + 1 < files.size()));
        }
    }
    [[nodiscard]] Result<OpenedCapture> open_whole(Opening opening = Opening::kAllThereIs) const {
        return open_messages(
            stream_, {{published_.fleet, published_.shard, published_.host, published_.capture}, "the fleet", registry_},
            *stream_->state(), opening);
    }
    [[nodiscard]] Result<std::shared_ptr<const capture::CaptureStore>> open() const {
        auto opened = open_whole();
        if (!opened) return opened.error();
        return std::move(opened->store);
    }
    Result<void> load(Session& session, std::uint64_t rows_in_memory) {
        auto store = open();
        if (!store) return store.error();
        ingest::FileOptions options;
        options.rows_in_memory = rows_in_memory;
        options.cache_bytes = 100'000;
        return ingest::load_capture(*store, session, {}, options);
    }
    void expect_as_in_the_files() {
        for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
            Session session;
            const auto loaded = load(session, rows_in_memory);
            ASSERT_TRUE(loaded.ok()) << loaded.error().message;
            ASSERT_EQ(session.lanes()[0]->pages() != nullptr, rows_in_memory == 0);
            ingest::expect_same_rows(session, files_);
            ingest::expect_same_sums(session, files_, random_);
            ingest::expect_same_spans(session, files_, random_);
            EXPECT_EQ(session.damage_count(), 0u);
        }
    }
    // The first message of a kind that is for that piece.
    FakeStream::Kept& first_of(Kind kind, std::uint64_t piece) {
        for (auto& [sequence, kept] : stream_->messages()) {
            if (kept.message.headers->id.kind == kind && kept.message.headers->id.piece == piece) return kept;
        }
        ADD_FAILURE() << "there is none";
        return stream_->messages().begin()->second;
    }
    // Rows may be unreadable, then loss rows stand for them: none comes that was not recorded, and it is said.
    void expect_damage_is_said(const std::string& in_words = "") {
        for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
            Session session;
            const auto loaded = load(session, rows_in_memory);
            if (!loaded.ok()) {
                EXPECT_FALSE(loaded.error().message.empty());
                continue;
            }
            for (const store::Lane* lane : session.lanes()) {
                for (std::uint64_t i = 0; i < lane->size(); ++i) static_cast<void>((*lane)[i]);
            }
            EXPECT_GT(session.damage_count(), 0u);
            std::string said;
            for (const store::Note& note : session.notes()) said += note.text + "\n";
            EXPECT_NE(said.find(in_words), std::string::npos) << in_words << " in " << said;
        }
    }

    // Every message of those kinds for chunks [from, to) of a piece: its first chunk has the number 0.
    void erase_chunks(std::uint64_t piece, std::uint64_t from, std::uint64_t to, const std::vector<Kind>& kinds) {
        std::erase_if(stream_->messages(), [&](const auto& entry) {
            const MessageId& id = entry.second.message.headers->id;
            const std::uint64_t number = id.sequence / 2;
            return id.piece == piece && number >= from && number < to &&
                   std::find(kinds.begin(), kinds.end(), id.kind) != kinds.end();
        });
    }
    static bool says(const Session& session, const std::string& words) {
        return std::any_of(session.notes().begin(), session.notes().end(),
                           [&](const store::Note& note) { return note.text.find(words) != std::string::npos; });
    }
    // What lanes say is lost, as `sla channels` counts it.
    static std::uint64_t lost_of(const Session& session) {
        std::uint64_t lost = 0;
        for (const store::Lane* lane : session.lanes())
            lost += lane->lost() + support::unreadable_of(*lane, store::PageSource::Look::kCheck).events;
        return lost;
    }
    // Of everything, in all pieces; losses that are in the files are none of the stream's.
    void expect_all_accounted_for(std::uint64_t rows_in_memory, std::uint64_t not_there) {
        Session session;
        const auto loaded = load(session, rows_in_memory);
        ASSERT_TRUE(loaded.ok()) << loaded.error().message;
        std::uint64_t lost_there = 0;
        std::uint64_t lost_in_files = 0;
        std::uint64_t unreadable = 0;
        for (const store::Lane* lane : session.lanes()) {
            lost_there += lane->lost(wire::LossCause::kDamaged);
            unreadable += support::unreadable_of(*lane, store::PageSource::Look::kCheck).events;
        }
        for (const store::Lane* lane : files_.lanes()) lost_in_files += lane->lost(wire::LossCause::kDamaged);
        EXPECT_EQ(session.events() - unreadable + not_there, files_.events());
        const bool is_all_counted = std::none_of(session.lanes().begin(), session.lanes().end(),
                                                 [](const store::Lane* lane) { return lane->uncounted_losses() > 0; });
        if (is_all_counted) {
            EXPECT_GE(lost_there + unreadable - lost_in_files, not_there);
        }
        EXPECT_GT(session.damage_count(), 0u);
    }
    // The registry's words of an agent that has ended.
    void has_ended() { registry_ = {files_.events(), files_.last_tick() + 1000, 0, files_.events()}; }

    Published registry_;
    const support::TemporaryPath temporary_{"fleet"};
    const support::PublishedName published_;
    const std::shared_ptr<FakeStream> stream_ = std::make_shared<FakeStream>();
    Session files_;
    std::mt19937_64 random_{11};
};

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

// Of a large capture no row is read before somebody asks: who asks for losses is told of them all the same.
TEST_F(FleetCaptureTest, AHoleIsLostOnItsLanesBeforeAnybodyReadsIt) {
    publish(14);
    has_ended();
    erase_chunks(2, 3, 6, {Kind::kFrames});
    auto opened = open_whole();
    ASSERT_TRUE(opened.ok());
    EXPECT_GT(opened->missing.within, 0u);
    EXPECT_EQ(opened->missing.before + opened->missing.at_end, 0u);
    Session session;
    ASSERT_TRUE(load(session, 0).ok());
    ASSERT_NE(session.lanes()[0]->pages(), nullptr);
    EXPECT_EQ(lost_of(session) - lost_of(files_), opened->missing.within);
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000})
        expect_all_accounted_for(rows_in_memory, opened->missing.within);
}

TEST_F(FleetCaptureTest, WithTheirSummariesGoneChunksAreKnownByTheIndex) {
    publish(15);
    erase_chunks(2, 0, 5, {Kind::kFrames, Kind::kSummary});  // with the names of piece 2
    const std::uint64_t within = open_whole()->missing.within;
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
        expect_all_accounted_for(rows_in_memory, within);
        Session session;
        ASSERT_TRUE(load(session, rows_in_memory).ok());
        EXPECT_FALSE(says(session, "never announced"));
    }
}

TEST_F(FleetCaptureTest, AnIndexThatIsGoneLeavesItsSummaries) {
    publish(16);
    std::erase_if(stream_->messages(), [](const auto& entry) {
        const MessageId& id = entry.second.message.headers->id;
        return id.kind == Kind::kIndex && id.piece <= 2;
    });
    expect_as_in_the_files();
}

TEST_F(FleetCaptureTest, ChunksOfWhichNothingIsLeftAreLostRows) {
    publish(17);
    has_ended();
    erase_chunks(2, 4, 7, {Kind::kFrames, Kind::kSummary});
    erase_chunks(2, 0, 100, {Kind::kIndex});
    auto opened = open_whole();
    ASSERT_TRUE(opened.ok());
    EXPECT_GT(opened->missing.within, 0u);
    Session session;
    ASSERT_TRUE(load(session, 0).ok());
    expect_all_accounted_for(0, files_.events() - session.events());
    EXPECT_TRUE(says(session, "is not in the stream"));
}

TEST_F(FleetCaptureTest, ABeginningThatSomebodyDeletedIsHistoryAndNoLoss) {
    MessageHeaders headers;
    headers.id = {"another", "b", "c", 1, 0, Kind::kFrames};
    stream_->put("sla.v1.lab.0.another.c.frames", headers, "x");  // the stream goes back further than this capture
    publish(18);
    has_ended();
    for (const auto& kinds : {std::vector{Kind::kFrames}, std::vector{Kind::kFrames, Kind::kSummary, Kind::kIndex}}) {
        erase_chunks(1, 0, 100, kinds);
        auto opened = open_whole();
        ASSERT_TRUE(opened.ok());
        EXPECT_EQ(opened->missing.within + opened->missing.at_end, 0u);
        EXPECT_FALSE(opened->missing.lacks_end);
        for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
            Session session;
            ASSERT_TRUE(load(session, rows_in_memory).ok());
            EXPECT_TRUE(session.begins_late());
            EXPECT_EQ(session.damage_count(), 0u);
            EXPECT_EQ(session.events() + opened->missing.before, files_.events());
            EXPECT_TRUE(says(session, "begins late: " + std::to_string(opened->missing.before) + " events"));
        }
    }
}

// As where a server came back empty: channels of later programs begin with their first row, and only the registry tells of others.
TEST_F(FleetCaptureTest, ABeginningOfWhichNoLaneTellsIsToldByTheRegistry) {
    publish(18);
    for (auto& [sequence, kept] : stream_->messages()) kept.message.headers->id.piece += 1;
    const std::uint64_t published = files_.events() + 1400;
    for (const Published& registry :
         {Published{published, files_.last_tick(), 0, published}, Published{0, 0, 0, published}}) {
        registry_ = registry;
        auto opened = open_whole();
        ASSERT_TRUE(opened.ok());
        EXPECT_EQ(opened->missing.before, 1400u);
        EXPECT_EQ(opened->missing.within + opened->missing.at_end, 0u);
        Session session;
        ASSERT_TRUE(load(session, 0).ok());
        EXPECT_TRUE(says(session, "begins late: 1400 events"));
    }
}

TEST_F(FleetCaptureTest, AnEndThatIsGoneIsALossOnEveryLane) {
    publish(19);
    has_ended();
    std::erase_if(stream_->messages(), [](const auto& entry) { return entry.second.message.headers->id.piece == 4; });
    auto opened = open_whole();
    ASSERT_TRUE(opened.ok());
    EXPECT_TRUE(opened->missing.lacks_end);
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
        Session session;
        ASSERT_TRUE(load(session, rows_in_memory).ok());
        EXPECT_EQ(session.events() + opened->missing.at_end, files_.events());
        EXPECT_TRUE(says(session, "its end (" + std::to_string(opened->missing.at_end) + " events) had been published"));
        EXPECT_GT(session.damage_count(), 0u);
        for (const store::Lane* lane : session.lanes()) {
            const store::Gap* const gap = lane->gap_at(lane->size() - 1);
            ASSERT_NE(gap, nullptr) << lane->channel().name;
            EXPECT_EQ(gap->cause, wire::LossCause::kDamaged);
            EXPECT_EQ(gap->until_tick, registry_.last_tick);
        }
    }
}

TEST_F(FleetCaptureTest, WhatTheAgentDroppedAtItsEndIsALossBehindTheLastRow) {
    publish(19);
    has_ended();
    registry_.lost_at_end = 777;
    for (const std::uint64_t rows_in_memory : {0, 1'000'000'000}) {
        Session session;
        ASSERT_TRUE(load(session, rows_in_memory).ok());
        EXPECT_EQ(session.events(), files_.events());
        EXPECT_TRUE(says(session, "its last 777 events were dropped by its agent"));
        EXPECT_FALSE(says(session, "had been published"));
        for (const store::Lane* lane : session.lanes()) {
            const store::Gap* const gap = lane->gap_at(lane->size() - 1);
            ASSERT_NE(gap, nullptr) << lane->channel().name;
            EXPECT_EQ(gap->until_tick, registry_.last_tick);
        }
    }
    stream_->messages().clear();
    registry_ = {0, 0, 777};
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message.find("dropped all of its 777 events"), std::string::npos) << store.error().message;
}

TEST_F(FleetCaptureTest, WhatAnAgentHasNotSentYetIsNoLoss) {
    RunEntry run;
    run.published = 1000;
    EXPECT_EQ(published_of(run).events, 0u);
    EXPECT_EQ(published_of(run).so_far, 1000u);
    run.ended_ns = 1;
    run.lost_at_end = 5;
    EXPECT_EQ(published_of(run).events, 1000u);
    EXPECT_EQ(published_of(run).lost_at_end, 5u);
    run.left = 1;
    EXPECT_EQ(published_of(run).events, 0u);
}

TEST_F(FleetCaptureTest, OfNothingThatIsLeftItSaysHowMuchThereWas) {
    publish(21);
    has_ended();
    stream_->messages().clear();
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message.find("all of its " + std::to_string(files_.events()) + " events"), std::string::npos)
        << store.error().message;
}

TEST_F(FleetCaptureTest, OfNothingItSaysThatNothingIsThere) {
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.error().message.find("nothing of the capture is in the stream"), std::string::npos)
        << store.error().message;
}

}  // namespace
}  // namespace sla::fleet
