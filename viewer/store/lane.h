// Lane: all events of one channel in columns, with the indices that answer "what lies in this stretch of time" in O(log n).
//
//   chunk 0 (4096 events)          chunk 1                    ...     chunks never move once made
//   ├ ticks   u64 ────────────┤    ├ ...
//   ├ values  u64             │    blocks of 64 events carry: first tick, level before it, ticks spent high before it,
//   ├ threads u32             │    and a leaf (min, max) of the value forest
//   └ codes   u8  ────────────┘
//
// Events are in tick order; gaps are events too (code SLA_CODE_GAP, value = number lost). Details, texts and the stories of
// gaps are sparse tables in order of index. Indices count from 0 in this lane; ordinal = index the agent gave the lane's
// first event. Owner: the session's thread. Append-only: nothing ever changes but open spans, which close.
#pragma once

#include "proto/wire/event.h"
#include "viewer/store/names.h"
#include "viewer/store/segment_forest.h"
#include "viewer/store/span_table.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sla::store {

struct Event {
    std::uint64_t tick = 0;
    std::uint64_t value = 0;  // bits; see wire::value_type_of(code). Gap: number lost
    std::uint32_t thread = 0;
    std::uint8_t code = 0;

    [[nodiscard]] wire::Kind kind() const { return wire::kind_of(code); }
    // The value as a number for drawing (64-bit integers round to double); 0 when there is none.
    [[nodiscard]] double number() const;
};

// One loss row.
struct Gap {
    std::uint64_t index = 0;
    std::uint64_t tick = 0;
    std::uint64_t until_tick = 0;  // losses lie in [tick, until_tick]; never below tick
    std::uint64_t lost = 0;
    std::uint64_t lost_before = 0;  // sum over all earlier gaps of the lane
    wire::LossCause cause = wire::LossCause::kNone;
};

// A level is unknown before its first event and after a gap, until the next level event.
enum class Level : std::uint8_t { kUnknown, kLow, kHigh };

// What lies in a stretch of time.
struct Summary {
    std::uint64_t first = 0;  // index range of its events [first, last), gap rows included
    std::uint64_t last = 0;
    std::uint64_t events = 0;  // without gap rows
    std::uint64_t gaps = 0;
    std::uint64_t lost = 0;
    bool has_value = false;  // min and max are over events with a value, gaps aside
    double min = 0;
    double max = 0;
};

struct LevelStretch {
    Level at_start = Level::kUnknown;  // after every event at or before `from`
    std::uint64_t high_ticks = 0;      // within [from, until)
};

class Lane {
public:
    static constexpr std::size_t kChunkEvents = 4096;
    static constexpr std::size_t kBlockEvents = 64;

    explicit Lane(Channel channel);

    [[nodiscard]] const Channel& channel() const { return channel_; }
    void describe(Channel channel) { channel_ = std::move(channel); }

    // Appends a batch that does not go backwards (checked), from its event `skip` on.
    void append(const wire::EventBatch& batch, std::size_t skip = 0);
    // Appends one loss row.
    void append_gap(std::uint64_t tick, std::uint64_t until_tick, std::uint64_t lost, std::uint32_t thread,
                    wire::LossCause cause);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::uint64_t events() const { return size_ - gaps_.size(); }
    [[nodiscard]] Event operator[](std::uint64_t index) const;
    [[nodiscard]] std::uint64_t tick(std::uint64_t index) const { return chunk(index).ticks[index % kChunkEvents]; }
    [[nodiscard]] std::uint32_t thread(std::uint64_t index) const { return chunk(index).threads[index % kChunkEvents]; }
    [[nodiscard]] std::uint64_t first_tick() const { return empty() ? 0 : tick(0); }
    [[nodiscard]] std::uint64_t last_tick() const { return last_tick_; }
    // A run of ticks that lie together in memory, from `index` to the end of its chunk.
    [[nodiscard]] std::span<const std::uint64_t> ticks_from(std::uint64_t index) const;

    // First index whose tick >= tick (upper_bound: > tick); size() when none. Starts looking at `from`.
    [[nodiscard]] std::uint64_t lower_bound(std::uint64_t tick, std::uint64_t from = 0) const;
    [[nodiscard]] std::uint64_t upper_bound(std::uint64_t tick) const {
        return tick == kNever ? size_ : lower_bound(tick + 1);
    }

    // Over [from, until) ticks; over [first, last) indices.
    [[nodiscard]] Summary summarize(std::uint64_t from, std::uint64_t until) const;
    [[nodiscard]] Summary summarize_indices(std::uint64_t first, std::uint64_t last) const;

    [[nodiscard]] bool has_levels() const { return has_levels_; }
    // Some event carries a number (levels and gaps aside).
    [[nodiscard]] bool has_values() const { return has_values_; }
    [[nodiscard]] bool has_texts() const { return !texts_.empty(); }
    [[nodiscard]] std::uint64_t count(wire::Kind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] Level level_at(std::uint64_t tick) const;
    [[nodiscard]] LevelStretch level_over(std::uint64_t from, std::uint64_t until) const;

    [[nodiscard]] const std::deque<Gap>& gaps() const { return gaps_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] std::uint64_t lost(wire::LossCause cause) const { return lost_by_cause_[static_cast<std::size_t>(cause)]; }
    // Nothing when the event is no gap.
    [[nodiscard]] const Gap* gap_at(std::uint64_t index) const;
    // First gap whose until_tick could reach `tick`, as a position in gaps().
    [[nodiscard]] std::size_t first_gap_touching(std::uint64_t tick) const;

    [[nodiscard]] const SpanTable& spans() const { return spans_; }

    // Readable text of an event: its own, or made by the channel's formatter, or a gap's cause. Appends to `out`.
    void append_text(std::uint64_t index, std::string& out) const;
    [[nodiscard]] std::string text(std::uint64_t index) const;
    // Both zero when the event has none.
    [[nodiscard]] std::array<std::uint64_t, 2> details(std::uint64_t index) const;

    [[nodiscard]] std::uint64_t memory_bytes() const;

private:
    struct Chunk {
        std::uint64_t ticks[kChunkEvents];
        std::uint64_t values[kChunkEvents];
        std::uint32_t threads[kChunkEvents];
        std::uint8_t codes[kChunkEvents];
    };
    struct Block {
        std::uint64_t first_tick = 0;
        std::uint64_t high_before = 0;  // ticks spent high before first_tick
        Level level_before = Level::kUnknown;
    };
    struct ValueRange {
        double min = 0;
        double max = 0;
        bool any = false;
        void absorb(const ValueRange& other);
    };
    struct Detail {
        std::uint64_t index = 0;
        std::array<std::uint64_t, 2> words{};
    };
    struct Text {
        std::uint64_t index = 0;
        std::string text;
    };

    const Chunk& chunk(std::uint64_t index) const { return *chunks_[index / kChunkEvents]; }
    void push(const Event& event);
    void track_level(const Event& event);
    void track_value(const Event& event);
    void push_extra(std::uint64_t index, const wire::Extra& extra);
    void push_gap(const Event& event, std::uint64_t index, const wire::Extra* extra);
    static Level level_after(Level before, std::uint8_t code, std::uint64_t value);
    ValueRange range_of(std::uint64_t first, std::uint64_t last) const;
    // Level and high ticks at `tick`, after every event at or before it.
    std::pair<Level, std::uint64_t> level_and_high(std::uint64_t tick) const;

    Channel channel_;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    std::vector<Block> blocks_;
    SegmentForest<ValueRange> ranges_;        // whole blocks only
    ValueRange open_range_;                   // of the newest, unfinished block
    std::vector<std::uint64_t> chunk_first_;  // first tick of each chunk
    SpanTable spans_;
    std::deque<Gap> gaps_;
    std::deque<std::uint64_t> gap_reach_;  // latest until_tick of the gaps so far
    std::deque<Detail> details_;
    std::deque<Text> texts_;
    std::array<std::uint64_t, 8> lost_by_cause_{};
    std::array<std::uint64_t, 7> kinds_{};
    std::uint64_t size_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t last_tick_ = 0;
    std::uint64_t high_ = 0;  // ticks spent high up to last_tick_
    Level level_ = Level::kUnknown;
    bool has_levels_ = false;
    bool has_values_ = false;
};

}  // namespace sla::store
