// Statistics of pairs: of all of them together, in a few walks over the rows of their lanes.
#include "proto/base/cores.h"
#include "viewer/analysis/chunk_walk.h"
#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/intervals/pair_table.h"
#include "viewer/analysis/intervals/statistics.h"

#include <algorithm>
#include <future>

namespace sla::analysis {

namespace {

constexpr std::size_t kPairBytes = std::size_t{192} << 20;  // of all pairs of a walk
constexpr std::size_t kKeptWidths = std::size_t{8} << 20;   // of all pairs, kept instead of a second walk
constexpr std::size_t kMostPairs = std::size_t{1} << 16;
constexpr std::size_t kMostWorkers = 8;

using Lanes = std::vector<const store::Lane*>;

// All pairs of two lists of lanes, some of the ends after the others.
class PairPasses {
public:
    PairPasses(const store::Session& session, const Selection& range, const Lanes& left, const Lanes& right,
               const StatisticsOptions& options)
        : session_(session),
          options_(options),
          left_(left),
          right_(right),
          kept_(kKeptWidths / (left.size() * right.size())) {
        Lanes all = left;
        all.insert(all.end(), right.begin(), right.end());
        selection_ = from_begin(session, with_lanes(range, std::move(all)));
        rows_ = 0;
        for (const store::Lane* lane : selection_.lanes)
            rows_ += lane->most_before(selection_.until) - lane->least_before(selection_.from);
        for (const store::Lane* lane : left_) begins_.push_back(place_of(lane));
        const Partners partners(right_);
        for (const store::Lane* start : left_) {
            for (const store::Lane* end : right_) is_wanted_.push_back(partners.are(*start, *end));
        }
    }

    std::vector<StatisticsRow> run() {
        numbers_.resize(left_.size() * right_.size());
        const std::size_t of_end = left_.size() * (PairTable::kBytesPerPair + ExactWidths().bytes());
        const std::size_t at_once = std::max<std::size_t>(kPairBytes / of_end, 1);
        for (first_ = 0; first_ < right_.size() && !stopped_; first_ = last_) {
            last_ = std::min(first_ + at_once, right_.size());
            run_some();
        }
        std::vector<StatisticsRow> rows;
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            if (!is_wanted_[i]) continue;
            const store::Lane* const a = left_[i / right_.size()];
            const store::Lane* const b = right_[i % right_.size()];
            const std::string& name = a->channel().name;
            rows.push_back({name, name + ":" + b->channel().name, numbers_[i], a, b});
        }
        return rows;
    }

private:
    // One pair, of those whose end is among the ones of this turn.
    struct Pair {
        std::size_t begin = 0;
        std::size_t end = 0;
        ExactIntervals intervals;
        bool is_walked = false;  // in this pass
        bool is_over = false;
    };
    // Ends [first, last), of those of this turn a part that one thread takes.
    struct Worker {
        std::size_t first = 0;
        PairTable table;
    };

    [[nodiscard]] std::uint32_t place_of(const store::Lane* lane) const {
        const auto at = std::find(selection_.lanes.begin(), selection_.lanes.end(), lane);
        return static_cast<std::uint32_t>(at - selection_.lanes.begin());
    }
    [[nodiscard]] Pair& pair(std::size_t begin, std::size_t end) { return pairs_[(end - first_) * left_.size() + begin]; }

    void run_some();
    bool choose();
    [[nodiscard]] std::vector<Worker> workers();
    [[nodiscard]] PairTable table(std::size_t first, std::size_t last);
    void walk(std::vector<Worker>& workers);
    void settle(std::vector<Worker>& workers);

    const store::Session& session_;
    const StatisticsOptions& options_;
    const Lanes& left_;
    const Lanes& right_;
    std::size_t kept_;  // of each pair
    Selection selection_;
    std::vector<std::uint32_t> begins_;
    std::vector<bool> is_wanted_;  // in the order of the rows
    std::uint64_t rows_ = 0;
    double done_ = 0;  // of 1, each pass half of what is left: nobody knows how many there will be
    bool stopped_ = false;
    std::size_t first_ = 0;  // of the ends, those of this turn
    std::size_t last_ = 0;
    std::vector<Pair> pairs_;
    std::vector<Statistics> numbers_;  // in the order of the rows
};

void PairPasses::run_some() {
    pairs_.clear();
    for (std::size_t end = first_; end < last_; ++end) {
        for (std::size_t begin = 0; begin < left_.size(); ++begin) {
            const Overhead overhead{overhead_ticks(session_, *left_[begin], *right_[end]), options_.subtract_overhead};
            pairs_.push_back({begin, end, {.widths = ExactWidths(kept_, options_.cull), .overhead = overhead}});
            pairs_.back().is_over = !is_wanted_[begin * right_.size() + end];
        }
    }
    while (choose()) {
        std::vector<Worker> all = workers();
        walk(all);
        settle(all);
    }
}

// As many as there is room for, of those that are not over.
bool PairPasses::choose() {
    std::size_t bytes = 0;
    bool any = false;
    for (Pair& one : pairs_) {
        one.is_walked = false;
        if (one.is_over || stopped_) continue;
        bytes += one.intervals.widths.bytes();
        if (any && bytes > kPairBytes) continue;
        any = one.is_walked = true;
        one.intervals.begin_pass();
    }
    return any;
}

PairTable PairPasses::table(std::size_t first, std::size_t last) {
    PairRoles roles{begins_, {}};
    std::vector<Overhead> overheads;
    for (std::size_t end = first; end < last; ++end) {
        roles.ends.push_back(place_of(right_[end]));
        if (!options_.subtract_overhead) continue;
        for (std::size_t begin = 0; begin < left_.size(); ++begin) overheads.push_back(pair(begin, end).intervals.overhead);
        overheads.push_back({});
    }
    return {selection_.lanes.size(), roles, std::move(overheads),
            [this, first](std::size_t begin, std::size_t end, std::span<const std::uint64_t> widths) {
                Pair& one = pair(begin, first + end);
                if (one.is_walked) one.intervals.widths.add(widths);
            }};
}

// Small captures are over before a thread has begun.
std::vector<PairPasses::Worker> PairPasses::workers() {
    const std::size_t ends = last_ - first_;
    const std::size_t threads = std::min(usable_cores(), kMostWorkers);
    const std::size_t many = rows_ < StartBlock::kLeastStarts ? 1 : std::min(threads, ends);
    std::vector<Worker> out;
    for (std::size_t i = 0; i < many; ++i) {
        const std::size_t first = first_ + ends * i / many;
        out.push_back({first, table(first, first_ + ends * (i + 1) / many)});
    }
    return out;
}

// While the workers take a block this thread makes the next one.
void PairPasses::walk(std::vector<Worker>& workers) {
    const ChunkPlan only_these(session_, selection_, false);
    PairStarts starts(selection_);
    StartBlock now;
    StartBlock next;
    const double part = (1 - done_) / 2;
    bool any = starts.fill(now);
    while (any && !stopped_) {
        std::vector<std::future<void>> taken;
        const auto policy = workers.size() > 1 ? std::launch::async : std::launch::deferred;
        for (Worker& one : workers) taken.push_back(std::async(policy, [&one, &now] { one.table.take(now); }));
        any = starts.fill(next);
        for (std::future<void>& one : taken) one.get();
        std::swap(now, next);
        const double share =
            static_cast<double>(starts.rows_walked()) / static_cast<double>(std::max<std::uint64_t>(rows_, 1));
        stopped_ = options_.progress && !options_.progress(done_ + part * std::min(share, 1.0));
    }
    done_ += part;
    for (Worker& one : workers) one.table.end();
}

void PairPasses::settle(std::vector<Worker>& workers) {
    for (std::size_t i = 0; i < workers.size(); ++i) {
        const std::size_t last = i + 1 < workers.size() ? workers[i + 1].first : last_;
        for (std::size_t end = workers[i].first; end < last; ++end) {
            for (std::size_t begin = 0; begin < left_.size(); ++begin) {
                Pair& one = pair(begin, end);
                if (!one.is_walked) continue;
                one.is_over = !one.intervals.end_pass();
                if (!one.is_over && !stopped_) continue;
                one.is_over = true;
                one.intervals.lost_intervals = workers[i].table.lossy(begin, end - workers[i].first);
                one.intervals.unfinished = workers[i].table.unfinished(begin, end - workers[i].first);
                numbers_[begin * right_.size() + end] = statistics_of(one.intervals, stamp_times(session_));
                one.intervals = {};
            }
        }
    }
}

}  // namespace

Result<void> check_pair(const std::string& pair) {
    if (pair.find(':') != std::string::npos) return {};
    return invalid_input("'" + pair + "' is not a pair; write A:B with the names of two channels");
}

Result<std::vector<StatisticsRow>> pair_statistics(const store::Session& session, const std::string& pair,
                                                   const Selection& range, const StatisticsOptions& options) {
    if (const auto good = check_pair(pair); !good) return good.error();
    // A name may hold a colon itself: the first one that parts two known names counts.
    for (std::size_t colon = pair.find(':'); colon != std::string::npos; colon = pair.find(':', colon + 1)) {
        const Lanes left = matching_lanes(session, std::string_view(pair).substr(0, colon));
        const Lanes right = matching_lanes(session, std::string_view(pair).substr(colon + 1));
        if (left.empty() || right.empty()) continue;
        if (left.size() * right.size() <= kMostPairs) return PairPasses(session, range, left, right, options).run();
        return invalid_input("'" + pair + "' is " + std::to_string(left.size() * right.size()) + " pairs; at most " +
                             std::to_string(kMostPairs) + " are counted at once: name fewer channels");
    }
    const std::size_t colon = pair.find(':');
    const std::string start = pair.substr(0, colon);
    const bool start_is_there = !matching_lanes(session, start).empty();
    return unknown_channel(session, start_is_there ? pair.substr(colon + 1) : start);
}

}  // namespace sla::analysis
