// A session whose rows leave memory once they were walked over, against one that keeps all.
#include "viewer/ingest/follow/passed_rows.h"

#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/ingest/frame_applier.h"

#include <vector>

namespace sla::ingest {
namespace {

constexpr std::uint64_t kSmall = 150'000;  // bytes: pages of some thousand rows

struct Walked {
    std::uint64_t lane;
    std::uint64_t index;
    std::uint64_t tick;
    std::uint64_t value;
    std::string text;
    bool operator==(const Walked&) const = default;
};

class PassedRowsTest : public testing::Test {
protected:
    PassedRowsTest() {
        applier_.on_growth([this](store::Lane& lane) { passed_.tend(lane); });
    }
    void take(const std::string& frame) {
        applier_.apply(std::string_view(frame));
        whole_applier_.apply(std::string_view(frame));
    }
    // Rows of (after, until] in order.
    static std::vector<Walked> walk(const store::Session& session, std::uint64_t after, std::uint64_t until,
                                    const std::string& filter) {
        analysis::Selection selection;
        selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        selection.from = after + 1;
        selection.until = until + 1;
        if (!filter.empty()) selection.filter = *analysis::EventFilter::parse(filter);
        const analysis::Progress none;
        analysis::EventWalk walk(session, selection, none);
        std::vector<Walked> rows;
        while (const auto place = walk.next()) {
            rows.push_back({place->lane->channel().id.value, place->index, place->tick, walk.event().value,
                            place->lane->text(place->index)});
        }
        return rows;
    }
    // The stream to its end, with looks at it meanwhile.
    void follow(std::uint64_t seed, const std::string& filter) {
        std::uint64_t done = 0;
        std::size_t rows = 0;
        const auto look = [&](std::uint64_t until) {
            session_.set_watermark(until);
            whole_.set_watermark(until);
            const std::vector<Walked> found = walk(session_, done, until, filter);
            ASSERT_EQ(found, walk(whole_, done, until, filter));
            rows += found.size();
            passed_.pass(until);
            most_pages_ = std::max(most_pages_, passed_.pages_in_memory());
            done = until;
        };
        int chunks = 0;
        make_random_stream({[&](const std::string& frame) { take(frame); },
                            [&] {
                                std::uint64_t reached = store::kNever;  // by the two lanes that are always busy
                                for (int i = 0; i < 2; ++i) reached = std::min(reached, whole_.lanes()[i]->last_tick());
                                if (++chunks % 3 == 0) look(std::max(done, reached));
                            }},
                           seed, 1500, false);
        look(std::max(done, whole_.last_tick()));
        EXPECT_GT(rows, 1000u);
    }

    store::Session session_;
    store::Session whole_;
    FrameApplier applier_{session_};
    FrameApplier whole_applier_{whole_};
    PassedRows passed_{session_, kSmall};
    std::size_t most_pages_ = 0;
};

TEST_F(PassedRowsTest, EveryRowIsWalkedOverOnceThoughFewAreInMemory) {
    follow(11, "");
    ASSERT_EQ(session_.events(), whole_.events());
    EXPECT_EQ(session_.lost(), whole_.lost());
    EXPECT_LE(most_pages_, 15u) << "of some hundred";
    std::uint64_t bytes = 0;
    std::uint64_t of_whole = 0;
    for (std::size_t i = 0; i < whole_.lanes().size(); ++i) {
        const store::Lane& lane = *session_.lanes()[i];
        EXPECT_EQ(lane.size(), whole_.lanes()[i]->size());
        EXPECT_EQ(lane.first_tick(), whole_.lanes()[i]->first_tick());
        EXPECT_LE(lane.pages() == nullptr ? 0 : lane.pages()->pages().size(), 20u) << "those that are gone became one";
        bytes += lane.memory_bytes();
        of_whole += whole_.lanes()[i]->memory_bytes();
    }
    EXPECT_LT(bytes, of_whole / 5);
}

TEST_F(PassedRowsTest, AFilterFindsTheSame) {
    follow(12, "value > 100 or kind == end");
}

// A source that loses something every second for a year.
TEST_F(PassedRowsTest, LossRowsGoWithTheirPagesAndWhatWasLostStays) {
    put_names([&](const std::string& frame) { take(frame); }, 1);
    std::uint64_t tick = 1;
    std::uint64_t lost = 0;
    std::size_t most = 0;
    for (std::uint64_t round = 0; round < 500; ++round) {
        wire::EventBatch batch;
        batch.channel = ChannelId{1};
        batch.first_index = round * 100;
        for (std::uint64_t i = 0; i < 100; ++i) {
            const bool is_loss = i % 4 == 3;
            batch.add(tick++, is_loss ? SLA_CODE_GAP : SLA_CODE_TICK, is_loss ? 7 : 0, 1);
            lost += is_loss ? 7 : 0;
        }
        take(batch_frame(batch));
        passed_.pass(tick - 1);
        most = std::max(most, session_.lanes()[0]->gaps().size());
    }
    const store::Lane& lane = *session_.lanes()[0];
    const store::Lane& whole = *whole_.lanes()[0];
    EXPECT_EQ(whole.gaps().size(), 500u * 25);
    EXPECT_LT(most, 3'000u);
    EXPECT_EQ(lane.lost(), whole.lost());
    EXPECT_EQ(lane.lost(), lost);
    EXPECT_EQ(lane.events(), whole.events());
    const std::uint64_t late = lane.size() - 50;
    EXPECT_EQ(lane.summarize_indices(late, lane.size()).lost, whole.summarize_indices(late, lane.size()).lost);
    EXPECT_EQ(lane.events_in(0, lane.size()), whole.events_in(0, lane.size()));
}

// A guest by a time of its own may be hours ahead: it keeps its own pages in memory, not those of others.
TEST_F(PassedRowsTest, ALaneThatIsAheadKeepsNoPagesOfOthers) {
    put_names([&](const std::string& frame) { take(frame); }, 2);
    const auto put = [&](std::uint32_t channel, std::uint64_t round, std::uint64_t from) {
        wire::EventBatch batch;
        batch.channel = ChannelId{channel};
        batch.first_index = round * 5'000;
        for (std::uint64_t i = 0; i < 5'000; ++i) batch.add(from + round * 5'000 + i, SLA_CODE_TICK, 0, 1);
        take(batch_frame(batch));
    };
    constexpr std::uint64_t kAhead = 1'000'000'000;
    for (std::uint64_t round = 0; round < 40; ++round) {
        if (round % 10 == 0) put(2, round / 10, kAhead);
        put(1, round, 1);
        passed_.pass((round + 1) * 5'000);
        ASSERT_LE(passed_.pages_in_memory(), round / 10 + 1) << round;
    }
    passed_.pass(kAhead + 20'000);
    EXPECT_EQ(passed_.pages_in_memory(), 0u);
}

// Pages are small where lanes are many, so that what does not make one yet does not fill the memory.
TEST_F(PassedRowsTest, ManyLanesHaveSmallPages) {
    constexpr std::uint32_t kChannels = 500;
    put_names([&](const std::string& frame) { take(frame); }, kChannels);
    std::uint64_t tick = 1;
    for (std::uint64_t round = 0; round < 40; ++round) {
        for (std::uint32_t channel = 1; channel <= kChannels; ++channel) {
            wire::EventBatch batch;
            batch.channel = ChannelId{channel};
            batch.first_index = round * 20;
            for (int i = 0; i < 20; ++i) batch.add(tick++, SLA_CODE_TICK, 0, 1);
            take(batch_frame(batch));
        }
        passed_.pass(tick);
    }
    EXPECT_EQ(session_.events(), 40u * 20 * kChannels);
    for (const store::Lane* lane : session_.lanes()) ASSERT_LE(lane->tail().size(), 275u);
    EXPECT_EQ(passed_.pages_in_memory(), 0u);
}

}  // namespace
}  // namespace sla::ingest
