// Events of one ring, decoded and in tick order, waiting for the watermark to pass them.
//
//   ticks   │ given out │ begin ... waiting ... size │
//   details columns beside the ticks, as long as the last event that has such a word
//   extras, texts  keyed by ordinal: how many events the run had taken before that one, ever
//
// One owner thread. Appending is the drain's hot loop: plain columns, no allocation once they have grown.
#pragma once

#include "agent/drain/waiting_texts.h"
#include "proto/wire/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::drain {

// Grows without writing zeros: every new element is filled in at once.
template <typename T>
struct UnwrittenAllocator : std::allocator<T> {
    template <typename U>
    struct rebind {
        using other = UnwrittenAllocator<U>;
    };
    using std::allocator<T>::allocator;
    template <typename U>
    void construct(U* at) noexcept {
        ::new (static_cast<void*>(at)) U;
    }
    template <typename U, typename... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
};
template <typename T>
using Column = std::vector<T, UnwrittenAllocator<T>>;

class Run {
public:
    explicit Run(std::uint32_t thread) : thread_(thread) {}

    [[nodiscard]] std::uint32_t thread() const { return thread_; }
    [[nodiscard]] bool empty() const { return begin_ == ticks_.size(); }
    [[nodiscard]] std::size_t size() const { return ticks_.size() - begin_; }
    [[nodiscard]] std::uint64_t front_tick() const { return ticks_[begin_]; }
    // What its columns take in memory.
    [[nodiscard]] std::size_t bytes() const {
        return ticks_.capacity() * sizeof(std::uint64_t) + codes_.capacity() + values_.capacity() * sizeof(std::uint64_t) +
               (details_[0].capacity() + details_[1].capacity()) * sizeof(std::uint64_t) +
               extras_.capacity() * sizeof(Attached) + texts_.memory_bytes();
    }

    // Columns of `count` new events to be filled in at once; ticks must not be below what is waiting (else call sort()).
    struct Columns {
        std::uint64_t* ticks;
        std::uint8_t* codes;
        std::uint64_t* values;
        std::array<std::uint64_t*, 2> details;  // null: these events have none
    };
    Columns grow(std::size_t count, bool with_details = false);
    // Takes the last `count` events of a grow() back: fewer came than were announced.
    void shrink(std::size_t count);
    // For the event that add() or the last grow() put at `from_end` places before the end (1: the last).
    void attach(std::size_t from_end, wire::Extra extra) { next_extra(from_end) = extra; }
    // The same of a text; those of one run in the order of their events.
    void attach_text(std::size_t from_end, std::string_view text) {
        if (!text.empty()) texts_.add(first_ordinal_ + ticks_.size() - from_end, text);
    }
    // The last `count` events have no such word.
    void drop_details(std::size_t word, std::size_t count);
    // For the event that add() put at the end.
    void set_details(const wire::Details& words);
    void add(std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
        if (begin_ != 0) reclaim();
        ticks_.push_back(tick);
        codes_.push_back(code);
        values_.push_back(value);
    }

    // A gap row at the end whose losses are still being counted; settle_gap says how many they were, by the number that this
    // gives, before anything is sorted or given out. until_tick 0, or before the row: the losses lie before it, nobody
    // knows how far.
    std::uint64_t open_gap(std::uint64_t tick);
    void settle_gap(std::uint64_t row, wire::LossCause cause, std::uint64_t count, std::uint64_t until_tick);

    // Puts what is waiting in tick order, keeping the order of equal ticks: after a source that stamps first and
    // publishes later.
    void sort();

    // What waits, as columns, until anything is done to the run.
    struct Rows {
        const std::uint64_t* ticks;
        const std::uint8_t* codes;
        const std::uint64_t* values;
        std::size_t count;
        // Of that word, how many of them from the first on may have one, and these.
        std::array<std::size_t, 2> detail_count;
        std::array<const std::uint64_t*, 2> details;
    };
    [[nodiscard]] Rows rows() const;
    // Whether any of the first `count` waiting events has an extra.
    [[nodiscard]] bool has_extra_within(std::size_t count) const {
        return first_extra_ < end_extra_ && extras_[first_extra_].ordinal < first_ordinal_ + begin_ + count;
    }
    // To be moved away: that of the waiting event at this place, when it has one and those before it were asked for.
    wire::Extra* next_extra_at(std::size_t place) {
        return has_extra_within(place + 1) ? &extras_[first_extra_++].extra : nullptr;
    }
    // Likewise of texts; empty: it has none. Stands until something is done to the run.
    [[nodiscard]] bool has_text_within(std::size_t count) const {
        return texts_.has_before(first_ordinal_ + begin_ + count);
    }
    std::string_view next_text_at(std::size_t place) {
        if (!has_text_within(place + 1)) return {};
        const std::string_view text = texts_.text();
        texts_.drop_oldest();
        return text;
    }
    // Drops the first `count` waiting events, whose extras and texts have been moved away.
    void skip(std::size_t count);

    // Of a run that is used soon: itself; and once that is there, the first of its rows, or the place for them.
    void prefetch() const {
        constexpr std::size_t kLine = 64;
        for (std::size_t at = 0; at < sizeof *this; at += kLine)
            __builtin_prefetch(reinterpret_cast<const char*>(this) + at);
    }
    void prefetch_rows() const {
        __builtin_prefetch(ticks_.data() + begin_);
        __builtin_prefetch(codes_.data() + begin_);
        __builtin_prefetch(values_.data() + begin_);
    }
    // How many waiting events have a tick at or below this.
    [[nodiscard]] std::size_t count_up_to(std::uint64_t tick) const;
    // Moves the first `count` waiting events to the end of `out`.
    void give(std::size_t count, wire::EventBatch& out);

    // Of an empty one: its memory, until there are events again.
    void give_back();
    // Columns for more events than the first are given back once they are empty and were hardly used so many times in a row, for
    // more than the second at once: a storm fills the same ones again and again, and fresh memory costs 2 ns an event.
    static constexpr std::size_t kWorthKeeping = 65'536;
    static constexpr std::size_t kMostKept = std::size_t{1} << 20;
    static constexpr std::uint32_t kRoundsKept = 16;

private:
    void reclaim();
    [[nodiscard]] bool is_too_big();
    [[nodiscard]] wire::Details details_at(std::size_t at) const;

    std::uint32_t thread_;
    std::size_t begin_ = 0;
    std::uint32_t rounds_hardly_used_ = 0;
    std::uint64_t first_ordinal_ = 0;  // of ticks_[0]
    Column<std::uint64_t> ticks_;
    Column<std::uint8_t> codes_;
    Column<std::uint64_t> values_;
    std::array<Column<std::uint64_t>, 2> details_;  // from ticks_[0] on
    struct Attached {
        std::uint64_t ordinal = 0;
        wire::Extra extra;
    };
    wire::Extra& next_extra(std::size_t from_end);   // empty
    wire::Extra* find_extra(std::uint64_t ordinal);  // null: it has none
    void reclaim_extras();
    std::vector<Attached> extras_;  // [first_extra_, end_extra_) wait; the others are memory for those to come
    std::size_t first_extra_ = 0;
    std::size_t end_extra_ = 0;
    WaitingTexts texts_;
};

}  // namespace sla::drain
