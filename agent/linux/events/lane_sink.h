// Where the events of the Linux host go: lanes and threads by name, then rows, in time order. Lane and thread numbers are
// the sink's; 0 is none.
//
//   add() ─┬─► WaitingRows of the lane    nearly always: in order, and there is space
//          └─► put()                      the sink decides
#pragma once

#include "proto/wire/event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sla::linux {

using LaneNumber = std::uint32_t;
using ThreadNumber = std::uint32_t;

// Rows of one lane in tick order, until the sink takes them on many at a time.
struct WaitingRows {
    static constexpr std::size_t kCapacity = 256;
    struct Columns {
        std::array<std::uint64_t, kCapacity> ticks;
        std::array<std::uint64_t, kCapacity> values;
        std::array<std::uint32_t, kCapacity> threads;
        std::array<std::uint8_t, kCapacity> codes;
    };
    std::size_t count = 0;
    std::uint64_t newest = 0;          // the last row's tick, while there is one
    std::unique_ptr<Columns> columns;  // none before the first row

    // False: the first one, no space, or out of order.
    bool add(ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
        const std::size_t at = count;
        if (at - 1 >= kCapacity - 1 || tick < newest) return false;
        newest = tick;
        columns->ticks[at] = tick;
        columns->values[at] = value;
        columns->threads[at] = thread;
        columns->codes[at] = code;
        count = at + 1;
        return true;
    }
    // Those that waited have gone on: this row is the first again.
    void begin(ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
        if (!columns) columns = std::make_unique_for_overwrite<Columns>();
        columns->ticks[0] = tick;
        columns->values[0] = value;
        columns->threads[0] = thread;
        columns->codes[0] = code;
        newest = tick;
        count = 1;
    }
};

class LaneSink {
public:
    virtual ~LaneSink() = default;

    // `format` names a formatter of proto/wire/formatter.h, or is empty. The same name gives the same lane.
    virtual LaneNumber lane(const std::string& name, const std::string& format) = 0;
    virtual ThreadNumber thread(std::uint32_t tid, const std::string& name) = 0;
    // It ended, or has another name: as many times as it was asked for.
    virtual void release_thread(ThreadNumber /*thread*/) {}

    // Inlined into the handlers of events: some ten instructions, no call.
    void add(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
        if (lane < with_rows_.size() && with_rows_[lane]->add(thread, tick, code, value)) return;
        put(lane, thread, tick, code, value);
    }
    // Where rows of a lane wait, for who adds very many; nullptr: the sink wants each by add(). Stays as long as the sink.
    [[nodiscard]] WaitingRows* waiting_rows(LaneNumber lane) const {
        return lane < with_rows_.size() ? with_rows_[lane] : nullptr;
    }
    // With text or details.
    virtual void add_with(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                          wire::RowExtra extra) = 0;
    // A gap row: `count` events lost in [tick, until_tick]. 0 of them: some may have been lost here, they are counted
    // elsewhere; spans that were open are cut.
    virtual void add_gap(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick,
                         wire::LossCause cause, std::uint64_t count) = 0;
    virtual void notice(const std::string& text) = 0;

protected:
    // A row that WaitingRows did not take.
    virtual void put(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) = 0;
    // The rows of the next lane number; a sink that gives none gets every row by put().
    void lend(WaitingRows& rows) {
        if (waiting_.empty()) waiting_.push_back(nullptr);  // lane 0 is none
        waiting_.push_back(&rows);
        with_rows_ = waiting_;
    }

private:
    std::vector<WaitingRows*> waiting_;
    std::span<WaitingRows* const> with_rows_;  // the same: a span's size is at hand, a vector's is worked out
};

}  // namespace sla::linux
