// A capture of random rows, in files and published to a stream in memory, of which tests take and change messages.
#pragma once

#include "tests/support/published_pieces.h"
#include "tests/support/temporary_path.h"
#include "tests/support/unreadable_of.h"
#include "tests/unit/viewer/fleet/fake_stream.h"
#include "tests/unit/viewer/ingest/random_series.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/fleet/fleet_capture.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace sla::fleet {

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

}  // namespace sla::fleet
