// The strip above the lanes over rows that stay in a file: as exact as over rows in memory, once they were counted.
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/timeline/pictures/minimap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace sla::timeline {
namespace {

constexpr auto kToTheEnd = [] { return true; };

Viewport strip_over(const store::Session& session, double width) {
    Viewport strip;
    strip.set_width(width);
    strip.show({session.first_tick(), session.last_tick()});
    return strip;
}

std::vector<MinimapColumn> columns_of(const store::Session& session, const Viewport& strip,
                                      std::shared_ptr<const MinimapCounts> counts = nullptr) {
    Minimap minimap;
    minimap.set_counts(std::move(counts));
    EXPECT_TRUE(minimap.refresh(session, strip));
    return minimap.columns();
}

std::shared_ptr<const MinimapCounts> counts_of(const store::Session& session, const Viewport& strip) {
    auto counts = std::make_shared<MinimapCounts>(strip);
    EXPECT_TRUE(counts->count(session, kToTheEnd));
    return counts;
}

std::uint64_t total(const std::vector<MinimapColumn>& columns) {
    return std::accumulate(columns.begin(), columns.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const MinimapColumn& column) { return sum + column.events; });
}

std::size_t uncertain(const std::vector<MinimapColumn>& columns) {
    return static_cast<std::size_t>(std::ranges::count_if(columns, &MinimapColumn::is_uncertain));
}

// A channel that marks in two bursts and is silent for long between them, all in one chunk.
class Bursts : public ::testing::Test {
protected:
    Bursts() {
        auto writer = capture::CaptureWriter::create(path_);
        EXPECT_TRUE(writer.ok());
        ingest::put_names([&](const std::string& frame) { EXPECT_TRUE(writer->append(frame).ok()); }, 1);
        wire::EventBatch batch;
        batch.channel = ChannelId{1};
        for (const std::uint64_t begin : {kFirst, kSecond}) {
            for (std::uint64_t i = 0; i < 500; ++i) batch.add(begin + i * 1000, SLA_CODE_TICK, i, 1);
        }
        EXPECT_TRUE(writer->append(ingest::batch_frame(batch)).ok());
        EXPECT_TRUE(writer->append(ingest::end_frame(kSecond + 500'000)).ok());
        EXPECT_TRUE(writer->finish().ok());
        ingest::FileOptions in_file;
        in_file.rows_in_memory = 0;
        EXPECT_TRUE(ingest::load_file(path_, paged_, {}, in_file).ok());
    }

    static constexpr std::uint64_t kFirst = 1'000'000;
    static constexpr std::uint64_t kSecond = 1'000'000'000;
    const support::TemporaryPath temporary_{"minimap_counts.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    store::Session paged_;
};

TEST_F(Bursts, AreTakenForALongDrizzleUntilTheyAreCountedAndAreMarkedSo) {
    const auto columns = columns_of(paged_, strip_over(paged_, 500));
    ASSERT_NE(paged_.lanes()[0]->pages(), nullptr);
    EXPECT_EQ(uncertain(columns), 500u);
    EXPECT_GT(columns[250].events, 0u);
}

TEST_F(Bursts, StandWhereTheyWereOnceTheyAreCounted) {
    const Viewport strip = strip_over(paged_, 500);
    const auto columns = columns_of(paged_, strip, counts_of(paged_, strip));
    EXPECT_EQ(uncertain(columns), 0u);
    EXPECT_EQ(total(columns), 1000u);
    EXPECT_EQ(columns.front().events, 500u);
    EXPECT_EQ(columns[498].events + columns[499].events, 500u);
    for (std::size_t x = 1; x < 498; ++x) EXPECT_EQ(columns[x].events, 0u) << x;
}

TEST_F(Bursts, CountsOfAnOtherCaptureOrTooCoarseOnesDoNotFit) {
    const auto counts = counts_of(paged_, strip_over(paged_, 100));
    EXPECT_TRUE(counts->fit(paged_, strip_over(paged_, 150)));
    EXPECT_FALSE(counts->fit(paged_, strip_over(paged_, 1000)));
    EXPECT_FALSE(counts->fit(store::Session(), strip_over(paged_, 100)));
    EXPECT_EQ(uncertain(columns_of(paged_, strip_over(paged_, 1000), counts)), 1000u) << "they are not used";
}

TEST_F(Bursts, ACountThatIsGivenUpSaysSo) {
    MinimapCounts counts(strip_over(paged_, 500));
    EXPECT_FALSE(counts.count(paged_, [] { return false; }));
}

// What is drawn of pages in a file and what of the same rows in memory: the same places, to a column's edge, and all events.
TEST(MinimapCounts, OfAFileGiveThePictureOfItsRows) {
    const support::TemporaryPath temporary{"minimap_random.sla"};
    ingest::write_random_capture(temporary.path, 5, 60);
    ingest::FileOptions in_file;
    in_file.rows_in_memory = 0;
    store::Session whole;
    store::Session paged;
    ASSERT_TRUE(ingest::load_file(temporary.path, whole).ok());
    ASSERT_TRUE(ingest::load_file(temporary.path, paged, {}, in_file).ok());
    for (const double width : {1.0, 37.0, 300.0, 1900.0, 6000.0}) {
        const Viewport strip = strip_over(whole, width);
        const auto wanted = columns_of(whole, strip);
        const auto columns = columns_of(paged, strip, counts_of(paged, strip));
        ASSERT_EQ(columns.size(), wanted.size());
        EXPECT_EQ(total(columns), whole.events() + whole.lanes()[0]->gaps().size() + whole.lanes()[1]->gaps().size() +
                                      whole.lanes()[2]->gaps().size());
        EXPECT_EQ(uncertain(columns), 0u) << width;
        const auto any_near = [](const std::vector<MinimapColumn>& of, std::size_t x) {
            const std::size_t end = std::min(x + 2, of.size());
            for (std::size_t at = x == 0 ? 0 : x - 1; at < end; ++at) {
                if (of[at].events > 0) return true;
            }
            return false;
        };
        for (std::size_t x = 0; x < columns.size(); ++x) {
            EXPECT_TRUE(columns[x].events == 0 || any_near(wanted, x)) << width << " " << x;
            EXPECT_TRUE(wanted[x].events == 0 || any_near(columns, x)) << width << " " << x;
        }
    }
}

// A capture that grows a thousandfold: rows are counted once, and steps become longer.
TEST(MinimapCounts, GoOnWhereTheyWereWhenMoreHasCome) {
    store::Session session;
    std::uint64_t next = 0;
    std::shared_ptr<MinimapCounts> counts;
    ingest::FrameApplier applier(session);
    ingest::put_names([&](const std::string& frame) { applier.apply(frame); }, 1);
    for (std::uint64_t part = 1; part <= 100'000'000; part *= 10) {
        wire::EventBatch batch;
        batch.channel = ChannelId{1};
        batch.first_index = next;
        for (std::uint64_t i = 0; i < 100; ++i) batch.add(part * 1000 + i, SLA_CODE_TICK, i, 1);
        next += 100;
        applier.apply(ingest::batch_frame(batch));
        const Viewport strip = strip_over(session, 200);
        if (counts == nullptr) counts = std::make_shared<MinimapCounts>(strip);
        ASSERT_TRUE(counts->count(session, kToTheEnd));
        EXPECT_EQ(counts->of(ChannelId{1}).rows, next);
        std::uint64_t events = 0;
        counts->visit([&](std::uint64_t tick, std::uint64_t of_step) {
            EXPECT_LE(tick, session.last_tick() + (session.last_tick() >> 10) + 1);
            events += of_step;
        });
        EXPECT_EQ(events, next);
        EXPECT_EQ(total(columns_of(session, strip, counts)), next);
    }
}

}  // namespace
}  // namespace sla::timeline
