// What is infinite or no number has no place on a lane's scale: pictures say so, near and from afar, in memory and from a file.
#include "proto/capture/capture_writer.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"
#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/timeline/pictures/moved_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace sla::timeline {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// One lane of values in a file of many chunks, in memory and paged.
class OddValues : public ::testing::Test {
protected:
    void write(const std::vector<double>& values, std::size_t rows_a_chunk, std::uint64_t step = 0) {
        auto writer = capture::CaptureWriter::create(path_);
        ASSERT_TRUE(writer.ok());
        ingest::put_names([&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); }, 1);
        std::uint64_t tick = 1000;
        for (std::size_t first = 0; first < values.size(); first += rows_a_chunk) {
            wire::EventBatch batch;
            batch.channel = ChannelId{1};
            batch.first_index = first;
            for (std::size_t i = first; i < std::min(values.size(), first + rows_a_chunk); ++i) {
                tick += step != 0 ? step : 1 + (random_() % 50 == 0 ? random_() % 3000 : random_() % 20);
                ticks_.push_back(tick);
                batch.add(tick, SLA_CODE_VALUE_FLOAT, wire::as_bits(values[i]), 1);
            }
            ASSERT_TRUE(writer->append(ingest::batch_frame(batch)).ok());
            ASSERT_TRUE(writer->flush().ok());
        }
        ASSERT_TRUE(writer->append(ingest::end_frame(tick)).ok());
        ASSERT_TRUE(writer->finish().ok());
        values_ = values;
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        options.cache_bytes = 100'000;
        ASSERT_TRUE(ingest::load_file(path_, whole_).ok());
        ASSERT_TRUE(ingest::load_file(path_, paged_, {}, options).ok());
    }
    // A third of them odd in some stretches, none in others.
    std::vector<double> random_values(std::size_t count) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) {
            const double odd[] = {kInfinity, -kInfinity, kNoNumber};
            const bool may_be_odd = i / 1500 % 2 == 1;
            const double number = static_cast<double>(random_() % 1000) - 300;
            values.push_back(may_be_odd && random_() % 3 == 0 ? odd[random_() % 3] : number);
        }
        return values;
    }
    template <typename Check>
    void for_many_views(Check check) {
        for (int round = 0; round < 60; ++round) {
            const std::uint64_t length = std::max<std::uint64_t>(ticks_.back() >> (round % 12), 20);
            const std::uint64_t first = round == 0 ? 0 : random_() % ticks_.back();
            Viewport view;
            view.set_width(50 + static_cast<double>(random_() % 500));
            view.show({first, first + length});
            check(view);
        }
    }
    [[nodiscard]] LanePicture exact(const store::Session& session, const Viewport& view) const {
        LanePicture out;
        picture_lane_exactly(*session.lanes().at(0), view, ticks_.back(), out);
        return out;
    }

    const support::TemporaryPath temporary_{"odd_values.sla"};
    const std::string path_ = temporary_.path.string();
    std::vector<double> values_;
    std::vector<std::uint64_t> ticks_;
    store::Session whole_;
    store::Session paged_;
    std::mt19937_64 random_{7};
};

// What the rows of one column are.
struct Expected {
    std::vector<double> numbers;
    bool ends_in_hole = false;
};

TEST_F(OddValues, NearAreAHoleAndAnEdgeOfTheirOwn) {
    write({0, 2, kInfinity, 4, kNoNumber, kNoNumber, -kInfinity, 10}, 8, 100);
    Viewport view;
    view.set_width(1000);
    view.show({1000, 2000});
    const LanePicture seen = exact(whole_, view);
    ASSERT_EQ(seen.values.size(), 8u);
    EXPECT_EQ(seen.values[2].value, kInfinity);
    EXPECT_TRUE(seen.values[2].has_above);
    EXPECT_TRUE(std::isnan(seen.values[2].max));
    EXPECT_EQ(seen.values[3].value, 4);
    EXPECT_FALSE(seen.values[3].has_above || seen.values[3].has_below);
    EXPECT_TRUE(std::isnan(seen.values[4].value));
    EXPECT_TRUE(seen.values[6].has_below);
    EXPECT_TRUE(seen.has_above && seen.has_below);
    EXPECT_EQ(seen.value_min, 0);
    EXPECT_EQ(seen.value_max, 10);
    view.show({1520, 2520});  // within the hole
    const LanePicture within = exact(whole_, view);
    ASSERT_FALSE(within.values.empty());
    EXPECT_LT(within.values[0].x, 0);
    EXPECT_TRUE(std::isnan(within.values[0].value)) << "what held before is no number";
}

TEST_F(OddValues, OfALaneWithoutFiniteOnesHaveNoScale) {
    write({kInfinity, kNoNumber, -kInfinity}, 8, 100);
    Viewport view;
    view.set_width(40);
    view.show({1000, 2000});
    const LanePicture seen = exact(whole_, view);
    EXPECT_EQ(seen.value_min, 0);
    EXPECT_EQ(seen.value_max, 0);
    EXPECT_TRUE(seen.has_above && seen.has_below);
    for (const ValueStep& step : seen.values) EXPECT_FALSE(std::isfinite(step.value) || std::isfinite(step.max));
}

TEST_F(OddValues, CountForWhatTheyAreAtEveryZoom) {
    write(random_values(12'000), 400);
    int columns = 0;
    for_many_views([&](const Viewport& view) {
        std::map<int, Expected> expected;
        for (std::size_t i = 0; i < ticks_.size(); ++i) {
            const int x = static_cast<int>(std::floor(view.x_of(ticks_[i])));
            if (x < 0 || x >= std::ceil(view.width())) continue;
            expected[x].ends_in_hole = std::isnan(values_[i]);
            if (!std::isnan(values_[i])) expected[x].numbers.push_back(values_[i]);
        }
        constexpr int kNone = -2;
        int ended = kNone;  // the column of the step before, where that ends in a hole
        for (const ValueStep& step : exact(whole_, view).values) {
            if (step.x < 0) continue;
            const int x = static_cast<int>(std::floor(step.x));
            if (std::isnan(step.value)) {
                const bool is_behind_numbers = ended + 1 == x && step.x == static_cast<float>(x);
                const auto found = expected.find(x);
                const bool is_alone = found != expected.end() && found->second.numbers.empty();
                ASSERT_TRUE(is_behind_numbers || is_alone) << x;
                if (!is_behind_numbers) expected.erase(found);
                ended = kNone;
                continue;
            }
            ASSERT_EQ(ended, kNone) << "the hole behind it is not there";
            const auto found = expected.find(x);
            ASSERT_NE(found, expected.end()) << x;
            const auto& numbers = found->second.numbers;
            std::set<double> finite(numbers.begin(), numbers.end());
            EXPECT_EQ(step.has_above, finite.erase(kInfinity) == 1);
            EXPECT_EQ(step.has_below, finite.erase(-kInfinity) == 1);
            if (finite.empty()) {
                EXPECT_TRUE(std::isnan(step.min) && std::isnan(step.max));
            } else {
                EXPECT_EQ(step.min, *finite.begin());
                EXPECT_EQ(step.max, *finite.rbegin());
            }
            EXPECT_EQ(step.value, numbers.back());
            if (found->second.ends_in_hole) ended = x;
            expected.erase(found);
            ++columns;
        }
        for (const auto& [x, rest] : expected) EXPECT_TRUE(rest.numbers.empty()) << x;
    });
    EXPECT_GT(columns, 1000);
}

TEST_F(OddValues, InAFileAreThoseOfRowsInMemory) {
    write(random_values(12'000), 400);
    for_many_views([&](const Viewport& view) {
        const LanePicture wanted = exact(whole_, view);
        const LanePicture is = exact(paged_, view);
        ASSERT_EQ(is.values.size(), wanted.values.size());
        const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        for (std::size_t i = 0; i < is.values.size(); ++i) {
            ASSERT_EQ(is.values[i].x, wanted.values[i].x);
            ASSERT_TRUE(same(is.values[i].value, wanted.values[i].value)) << i;
            ASSERT_TRUE(same(is.values[i].min, wanted.values[i].min)) << i;
            ASSERT_TRUE(same(is.values[i].max, wanted.values[i].max)) << i;
            ASSERT_EQ(is.values[i].has_above, wanted.values[i].has_above);
            ASSERT_EQ(is.values[i].has_below, wanted.values[i].has_below);
        }
        ASSERT_EQ(is.value_min, wanted.value_min);
        ASSERT_EQ(is.value_max, wanted.value_max);
        ASSERT_EQ(is.has_above, wanted.has_above);
        ASSERT_EQ(is.has_below, wanted.has_below);
    });
}

// The sums over a page with infinite values know one end of the finite ones, or none.
TEST_F(OddValues, WhileRoughAreNoNumberThatNobodyRecorded) {
    std::vector<double> values = random_values(12'000);
    for (std::size_t i = 3000; i < 4500; ++i) values[i] = kNoNumber;
    for (std::size_t i = 9000; i < 9400; ++i) values[i] = i % 2 == 0 ? kInfinity : -kInfinity;
    write(values, 400);
    Viewport view;
    view.set_width(300);
    view.show({ticks_.front(), ticks_.back()});
    LanePicture rough;
    picture_lane(*paged_.lanes().at(0), view, ticks_.back(), rough);
    ASSERT_TRUE(rough.rough);
    std::set<double> recorded;
    std::copy_if(values.begin(), values.end(), std::inserter(recorded, recorded.end()),
                 [](double value) { return !std::isnan(value); });
    bool is_infinite = false;
    for (const ValueStep& step : rough.values) {
        ASSERT_TRUE(recorded.contains(step.value));
        ASSERT_TRUE(std::isnan(step.min) == std::isnan(step.max));
        if (!std::isnan(step.min)) {
            ASSERT_TRUE(std::isfinite(step.min) && std::isfinite(step.max));
            ASSERT_TRUE(recorded.contains(step.min) && recorded.contains(step.max));
        }
        is_infinite = is_infinite || std::isinf(step.value);
    }
    EXPECT_TRUE(is_infinite);
    EXPECT_TRUE(rough.has_above && rough.has_below);
    EXPECT_GE(rough.value_min, -300);
    EXPECT_LE(rough.value_max, 699);
    LanePicture moved;
    Viewport elsewhere = view;
    elsewhere.pan(20);
    move_picture(rough, view, elsewhere, moved);
    EXPECT_TRUE(moved.has_above && moved.has_below);
}

}  // namespace
}  // namespace sla::timeline
