// PairTable: the intervals of all pairs of some lanes at once, by the rule of PairMerge. Lanes that begin pairs stand in the
// order in which they started last; a start of another lane ends those that stand before where it stood itself:
//
//   started last   c  a  e │ b  d          b starts: it ends what c, a and e have begun,
//                  ◄────────┘                        and stands in front
//
// so that a start costs what the intervals cost that it ends. Losses are rare and cost more: each pair knows whether events
// may be missing in what waits for its end.
//
// Cost: some 4 ns an interval (tests/bench/stats_bench). One owner; several tables may divide the ends among them,
// each on a thread of its own. Private to the room.
#pragma once

#include "viewer/analysis/intervals/intervals.h"
#include "viewer/analysis/intervals/pair_starts.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sla::analysis {

// Places in the selection: each lane that begins pairs with each that ends some.
struct PairRoles {
    std::vector<std::uint32_t> begins;
    std::vector<std::uint32_t> ends;
};

class PairTable {
public:
    // Widths of the pair of the roles' begin and end of those numbers.
    using Take = std::function<void(std::size_t begin, std::size_t end, std::span<const std::uint64_t> widths)>;
    // What is measured of a pair costs so much, and is subtracted: empty, or a number for each.
    PairTable(std::size_t lanes, const PairRoles& roles, std::vector<Overhead> overheads, Take take);

    void take(const StartBlock& block);
    // No more follows: what waits has no end of its own.
    void end();
    // After it.
    [[nodiscard]] std::uint64_t lossy(std::size_t begin, std::size_t end) const { return lossy_[cell(begin, end)]; }
    [[nodiscard]] std::uint64_t unfinished(std::size_t begin, std::size_t end) const;

private:
    static constexpr std::size_t kBuffered = 256;

public:
    // What a pair takes.
    static constexpr std::size_t kBytesPerPair = kBuffered * sizeof(std::uint64_t) + 32;

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    struct Begin {
        std::uint64_t stamp = 0;  // of its last start: the tick and 1; 0: none
        std::uint64_t starts = 0;
        std::uint32_t thread = 0;
        bool is_marked = false;  // some pair of it is
    };
    struct End {
        std::uint64_t stamp = 0;
        std::uint32_t thread = 0;
        std::uint32_t same = kNone;  // the begin that is the same lane
        bool is_marked = false;      // of the pair with itself
    };

    [[nodiscard]] std::size_t cell(std::size_t begin, std::size_t end) const { return end * begins_.size() + begin; }
    [[nodiscard]] bool is_waiting(std::uint32_t begin, std::uint32_t end) const {
        return begins_[begin].stamp > ends_[end].stamp;
    }
    void put(std::size_t cell, std::uint64_t width) {
        buffers_[cell * kBuffered + filled_[cell]] = width;
        if (++filled_[cell] == kBuffered) flush(cell);
    }
    void flush(std::size_t cell);

    void take_plain(const LaneStart& start);
    void take_tick(std::span<const LaneStart> starts, const StartBlock& block);
    void open(std::uint32_t begin, const LaneStart& start, const StartBlock& block);
    void close_others(std::uint32_t end, const LaneStart& start);
    void close_same(std::uint32_t end, const LaneStart& start);
    void to_front(std::uint32_t begin, std::size_t from);
    void whole(std::size_t cell, std::uint64_t width, bool one_thread);

    void mark(std::uint32_t begin, std::uint32_t end);
    void mark_all(std::uint32_t begin);
    void settle_marks(std::uint32_t begin);

    Take take_;
    std::vector<Overhead> overheads_;
    std::vector<std::uint32_t> begin_of_lane_;  // its number among the begins, or kNone
    std::vector<std::uint32_t> end_of_lane_;
    std::vector<Begin> begins_;  // and one behind them that has never started
    std::vector<End> ends_;
    std::vector<std::uint32_t> order_;  // of begins, the one that started last in front; at its end the one behind them
    std::size_t marked_begins_ = 0;

    // By cell: a begin and an end.
    std::vector<std::uint64_t> buffers_;
    std::vector<std::uint32_t> filled_;
    std::vector<std::uint64_t> whole_;
    std::vector<std::uint64_t> lossy_;
    std::vector<std::uint8_t> marks_;  // what waits, or waits next, is lossy
};

}  // namespace sla::analysis
