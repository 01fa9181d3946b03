#include "viewer/analysis/values/value_passes.h"

#include "viewer/analysis/values/number_tally.h"
#include "viewer/analysis/values/value_walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sla::analysis {

namespace {

constexpr std::size_t kLeastKeys = 512;  // of a sample: fewer say little

struct WantedShare {
    Number ValueStatistics::*number;
    std::uint64_t of_thousand;
};
constexpr std::array<WantedShare, 4> kWantedShares = {{{&ValueStatistics::p50, 500},
                                                       {&ValueStatistics::p90, 900},
                                                       {&ValueStatistics::p99, 990},
                                                       {&ValueStatistics::p999, 999}}};

// Of a lane's numbers those at some ranks, while they are looked for.
struct Searched {
    struct Rank {
        Number* result;
        RankSearch search;
    };
    const store::Lane* lane;
    bool has_zero;
    std::vector<Rank> ranks;

    void add(std::uint8_t code, std::uint64_t value) {
        if (wire::value_type_of(code) == wire::ValueType::kFloat && std::isnan(wire::as_double(value))) return;
        const NumberKey key = key_of(code, value);
        for (Rank& rank : ranks) rank.search.add(key);
    }
};

// All numbers that equal 0 are told alike.
Number told(NumberKey key, bool has_zero) {
    const bool is_minus_zero = key == key_of_real(-0.0);
    return number_of(is_minus_zero && has_zero ? key_of_whole(false, 0) : key);
}

class Passes {
public:
    Passes(const store::Session& session, const Selection& selection, const ValueRoom& room,
           const std::function<bool(double)>& progress)
        : session_(session), selection_(selection), room_(room), progress_(progress), numbers_(selection.lanes.size()) {}

    std::vector<ValueStatistics> run() {
        const std::size_t at_once = std::max<std::size_t>(room_.keys / kLeastKeys, 1);
        for (std::size_t lane = 0; lane < numbers_.size() && !stopped_; lane += at_once) {
            tally(lane, std::min(lane + at_once, numbers_.size()));
            while (!searched_.empty() && !stopped_) search();
        }
        return std::move(numbers_);
    }

private:
    // Of a sample, when there are so many: a part of the room at most, since it is copied and sorted.
    [[nodiscard]] std::size_t keys_each(std::size_t samples, std::size_t part) const {
        return std::clamp(std::bit_floor(room_.keys / samples), kLeastKeys, std::max(room_.keys / part, kLeastKeys));
    }
    template <typename Values>
    void walk(const Selection& lanes, std::vector<ValueWalk<Values>>& walks);
    void tally(std::size_t first, std::size_t last);
    void finish(const store::Lane& lane, NumberTally tally, ValueStatistics& numbers);
    void search();

    const store::Session& session_;
    const Selection& selection_;
    const ValueRoom& room_;
    const std::function<bool(double)>& progress_;
    std::vector<ValueStatistics> numbers_;
    std::vector<Searched> searched_;  // in order of channel id
    double done_ = 0;                 // of 1, each pass half of what is left: nobody knows how many there will be
    bool stopped_ = false;
};

template <typename Values>
void Passes::walk(const Selection& lanes, std::vector<ValueWalk<Values>>& walks) {
    const ChunkPlan plan(session_, lanes, false);
    const double part = (1 - done_) / 2;
    walk_chunks(plan, walks, [&](double share) {
        stopped_ = progress_ && !progress_(done_ + part * share);
        return !stopped_;
    });
    done_ += part;
}

void Passes::tally(std::size_t first, std::size_t last) {
    const auto begin = selection_.lanes.begin();
    const Selection lanes =
        with_lanes(selection_, {begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)});
    TallyRoom shared{keys_each(lanes.lanes.size(), 8), room_.counted_lanes};
    std::vector<ValueWalk<NumberTally>> walks;
    walks.reserve(lanes.lanes.size());
    for (const store::Lane* lane : lanes.lanes) walks.emplace_back(*lane, lanes, NumberTally(shared));
    walk(lanes, walks);
    for (std::size_t i = 0; i < walks.size() && !stopped_; ++i) {
        numbers_[first + i].lost = walks[i].unreadable;
        finish(*walks[i].lane, std::exchange(walks[i].values, NumberTally(shared)), numbers_[first + i]);
    }
}

void Passes::finish(const store::Lane& lane, NumberTally tally, ValueStatistics& numbers) {
    tally.end();
    numbers.count = tally.size();
    numbers.not_numbers = tally.not_numbers();
    if (numbers.count == 0) return;
    numbers.min = told(tally.least(), tally.has_zero());
    numbers.max = told(tally.greatest(), tally.has_zero());
    numbers.set_mean(tally.sums());
    Searched searched{&lane, tally.has_zero(), {}};
    for (const WantedShare& wanted : kWantedShares) {
        Number& result = numbers.*wanted.number;
        const std::uint64_t rank = rank_of_thousand(numbers.count, wanted.of_thousand);
        if (const auto known = tally.at_rank(rank)) {
            result = told(*known, searched.has_zero);
        } else {
            searched.ranks.push_back({&result, tally.search_for(rank)});
        }
    }
    if (!searched.ranks.empty()) searched_.push_back(std::move(searched));
}

void Passes::search() {
    const std::size_t at_once = std::max<std::size_t>(room_.keys / kLeastKeys / kWantedShares.size(), 1);
    const std::size_t taken = std::min(at_once, searched_.size());
    Selection lanes = with_lanes(selection_, {});
    std::size_t samples = 0;
    for (std::size_t i = 0; i < taken; ++i) {
        lanes.lanes.push_back(searched_[i].lane);
        samples += searched_[i].ranks.size();
    }
    std::vector<ValueWalk<Searched>> walks;
    for (std::size_t i = 0; i < taken; ++i) {
        for (Searched::Rank& rank : searched_[i].ranks) rank.search.begin(keys_each(samples, 4));
        walks.emplace_back(*lanes.lanes[i], lanes, std::move(searched_[i]));
    }
    walk(lanes, walks);
    for (std::size_t i = 0; i < taken; ++i) {
        Searched& lane = searched_[i] = std::move(walks[i].values);
        std::erase_if(lane.ranks, [&](Searched::Rank& rank) {
            const auto known = rank.search.end();
            if (known) *rank.result = told(*known, lane.has_zero);
            return known.has_value();
        });
    }
    std::erase_if(searched_, [](const Searched& lane) { return lane.ranks.empty(); });
}

}  // namespace

std::vector<ValueStatistics> statistics_in_passes(const store::Session& session, const Selection& selection,
                                                  const ValueRoom& room, const std::function<bool(double)>& progress) {
    return Passes(session, selection, room, progress).run();
}

}  // namespace sla::analysis
