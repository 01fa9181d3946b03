// Servers that do not answer for a while: rows are not here yet, that is said once, and they come when the servers do.
#include "tests/support/process.h"
#include "tests/support/published_pieces.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/fleet/fake_stream.h"
#include "tests/unit/viewer/ingest/random_series.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/fleet/at_once.h"
#include "viewer/fleet/fetched_messages.h"
#include "viewer/fleet/fleet_capture.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

namespace sla::fleet {
namespace {

constexpr std::chrono::seconds kTimeout{60};

// Answers or not, or knows but a part for a while.
class MoodyStream final : public MessageStore {
public:
    explicit MoodyStream(std::shared_ptr<const MessageStore> stream) : stream_(std::move(stream)) {}
    void be_silent(bool is_silent) { is_silent_ = is_silent; }
    // So many questions for what is behind that message it answers as one does that has not got it yet.
    void lag_behind(std::uint64_t sequence, int questions) {
        known_ = sequence;
        questions_ = questions;
    }
    // As servers do whose newest message of a subject somebody deleted.
    void forget_newest() { knows_newest_ = false; }

    [[nodiscard]] Result<StoredMessage> get(std::uint64_t sequence, std::chrono::milliseconds timeout) const override {
        if (is_silent_) return unavailable("nobody answers");
        return stream_->get(sequence, timeout);
    }
    [[nodiscard]] Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const override {
        Result<StoredMessage> message = stream_->next(subject, from);
        if (message && message->sequence > known_ && questions_-- > 0) return not_found("no more of " + subject);
        return message;
    }
    [[nodiscard]] Result<std::uint64_t> newest(const std::string& subject) const override {
        if (!knows_newest_) return not_found("nothing of " + subject);
        return stream_->newest(subject);
    }
    [[nodiscard]] Result<StreamState> state() const override { return stream_->state(); }

private:
    std::shared_ptr<const MessageStore> stream_;
    std::atomic<bool> is_silent_ = false;
    std::atomic<std::uint64_t> known_ = store::kNever;
    mutable std::atomic<int> questions_ = 0;
    std::atomic<bool> knows_newest_ = true;
};

class SilentServers : public ::testing::Test {
protected:
    SilentServers() { std::filesystem::create_directories(temporary_.path); }

    [[nodiscard]] std::string path() const { return (temporary_.path / "rec.sla").string(); }
    void publish() {
        ingest::write_random_series(path(), 5, 35, 10);
        ASSERT_TRUE(ingest::load_file(path(), files_).ok());
        support::PiecePublisher publisher(published_, [this](const auto& subject, const auto& headers, const auto& body) {
            return stream_->put(subject, headers, body);
        });
        const std::vector<std::string> files = capture::files_of_series(path());
        for (std::size_t i = 0; i < files.size(); ++i) ASSERT_TRUE(publisher.publish(files[i], i + 1, true));
    }
    Result<OpenedCapture> open(const std::shared_ptr<const MessageStore>& messages) const {
        return open_messages(messages,
                             {{published_.fleet, published_.shard, published_.host, published_.capture}, "the fleet", {}},
                             *stream_->state(), Opening::kAllThereIs);
    }
    void fill_paged(store::Session& session) {
        auto opened = open(servers_);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        auto source = ingest::FileSource::open(opened->store, options);
        ASSERT_TRUE(source.ok());
        source_.emplace(std::move(*source));
        ingest::FrameApplier applier(session);
        while (source_->step(applier, std::chrono::milliseconds(100))) {
        }
        ASSERT_TRUE(source_->is_paged());
    }
    // As frames do it: is every page here?
    bool are_all_here(const store::Session& session) {
        source_->poll();
        bool all = true;
        for (const store::Lane* lane : session.lanes()) all = lane->is_here(0, store::kNever, 1000) && all;
        return all;
    }
    static long notes_with(const store::Session& session, const std::string& words) {
        return std::count_if(session.notes().begin(), session.notes().end(),
                             [&](const store::Note& note) { return note.text.find(words) != std::string::npos; });
    }

    const support::TemporaryPath temporary_{"silent"};
    const support::PublishedName published_;
    const std::shared_ptr<FakeStream> stream_ = std::make_shared<FakeStream>();
    const std::shared_ptr<MoodyStream> servers_ = std::make_shared<MoodyStream>(stream_);
    store::Session files_;
    std::optional<ingest::FileSource> source_;
};

TEST_F(SilentServers, RowsInSightAreNotHereYetAndComeWhenTheServersDo) {
    ASSERT_NO_FATAL_FAILURE(publish());
    store::Session session;
    ASSERT_NO_FATAL_FAILURE(fill_paged(session));
    servers_->be_silent(true);
    const auto is_said = [&] {
        EXPECT_FALSE(are_all_here(session));
        return notes_with(session, "nobody answers; rows in sight are asked for again") > 0;
    };
    ASSERT_TRUE(support::eventually(is_said, kTimeout));
    EXPECT_FALSE(are_all_here(session));
    servers_->be_silent(false);
    ASSERT_TRUE(
        support::eventually([&] { return are_all_here(session) && notes_with(session, "rows come again") > 0; }, kTimeout));
    ingest::expect_same_rows(session, files_);
    EXPECT_EQ(notes_with(session, "nobody answers"), 1);
    EXPECT_EQ(session.damage_count(), 0u);
}

// Nobody else can wait for them: a command that reads rows in order.
TEST_F(SilentServers, WhoMustHaveRowsGetsLossRowsThatAreNotKept) {
    ASSERT_NO_FATAL_FAILURE(publish());
    store::Session session;
    ASSERT_NO_FATAL_FAILURE(fill_paged(session));
    const store::Lane& lane = *session.lanes()[0];
    servers_->be_silent(true);
    EXPECT_EQ(lane[0].kind(), wire::Kind::kGap);
    source_->poll();
    EXPECT_GT(session.damage_count(), 0u);
    servers_->be_silent(false);
    static_cast<void>(lane[lane.size() - 1]);  // another page
    EXPECT_EQ(lane.tick(0), files_.lanes()[0]->tick(0));
    EXPECT_EQ(lane[0].kind(), (*files_.lanes()[0])[0].kind());
}

TEST_F(SilentServers, WhatWasFetchedBeforehandIsReadWithoutThem) {
    ASSERT_NO_FATAL_FAILURE(publish());
    OpenedFleet fleet;
    auto messages = std::make_shared<FetchedMessages>(servers_);
    auto opened = open(messages);
    ASSERT_TRUE(opened.ok());
    fleet.members.push_back({{}, std::move(*opened), messages});
    std::uint64_t rows = 0;
    for (const store::Lane* lane : files_.lanes()) rows += lane->size();
    EXPECT_EQ(rows_of(fleet), rows);
    EXPECT_FALSE(fetch_rows(fleet, [](double) { return false; }).ok());
    ASSERT_TRUE(fetch_rows(fleet, {}).ok());
    servers_->be_silent(true);
    EXPECT_FALSE(fetch_rows(fleet, {}).ok());
    store::Session session;
    ASSERT_TRUE(ingest::load_capture(fleet.members.front().capture.store, session).ok());
    ingest::expect_same_rows(session, files_);
    EXPECT_EQ(session.damage_count(), 0u);
}

TEST_F(SilentServers, AServerThatLagsBehindHidesNothing) {
    ASSERT_NO_FATAL_FAILURE(publish());
    for (const std::uint64_t known : {std::uint64_t{0}, stream_->messages().size() / 2}) {
        servers_->lag_behind(known, 3);
        auto opened = open(servers_);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        store::Session session;
        ASSERT_TRUE(ingest::load_capture(opened->store, session).ok());
        ingest::expect_same_rows(session, files_);
        EXPECT_EQ(session.damage_count(), 0u);
    }
}

TEST_F(SilentServers, ALeaderThatKnowsOfNoNewestMessageHidesNothing) {
    ASSERT_NO_FATAL_FAILURE(publish());
    servers_->forget_newest();
    auto opened = open(servers_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store::Session session;
    ASSERT_TRUE(ingest::load_capture(opened->store, session).ok());
    ingest::expect_same_rows(session, files_);
}

TEST(EachAtOnce, DoesEachOnceStopsWhenToldAndHandsOnWhatIsThrown) {
    std::vector<std::atomic<int>> done(1000);
    EXPECT_TRUE(each_at_once(done.size(), 8, {}, [&](std::size_t i, const auto& goes_on) {
        EXPECT_TRUE(goes_on());
        ++done[i];
    }));
    EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](const auto& one) { return one == 1; }));
    EXPECT_TRUE(each_at_once(0, 8, {}, [](std::size_t, const auto&) { FAIL(); }));
    int asked = 0;
    std::atomic<std::size_t> begun = 0;
    EXPECT_FALSE(each_at_once(
        1'000'000'000, 4, [&] { return ++asked < 10; }, [&](std::size_t, const auto&) { ++begun; }));
    EXPECT_LT(begun, 1'000'000'000u);
    EXPECT_THROW(each_at_once(100, 4, {},
                              [](std::size_t i, const auto&) {
                                  if (i == 50) throw std::bad_alloc();
                              }),
                 std::bad_alloc);
}

}  // namespace
}  // namespace sla::fleet
