// One CPU's part of the kernel's trace: pages read, waiting, and taken event by event in time order.
//
//   fill() reads ─► │ page │ page │ page │ ─► take()
//
// Losses come as items of their own, in their place: [tick of the last event before, tick of the first behind].
// One owner thread. Pages are reused; nothing is allocated once the queue has grown.
#pragma once

#include "agent/linux/tracefs/trace_page.h"
#include "agent/linux/unique_fd.h"
#include "proto/base/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sla::linux {

struct TraceItem {
    enum class Kind : std::uint8_t { kEvent, kLoss, kDamage };
    Kind kind = Kind::kEvent;
    TraceRecord record;                 // its tick always stands; its data for events
    std::optional<std::uint64_t> lost;  // losses: how many, when the page said so
    std::uint64_t until_tick = 0;       // losses: the first event behind
};

class CpuReader {
public:
    // Fills the buffer with what one read() gives: the bytes; 0 when there is nothing now. Negative: a broken descriptor.
    using ReadPage = std::function<long(std::byte* buffer, std::size_t bytes)>;

    CpuReader(int cpu, ReadPage read_page, std::size_t page_bytes);
    CpuReader(CpuReader&&) noexcept = default;
    CpuReader& operator=(CpuReader&&) noexcept = default;

    // Reads what is there, at most `pages`, and nothing behind a page that begins at `until` or later: what cannot be taken
    // yet costs less in the kernel than in our processor's cache. Gives how many were read.
    std::size_t fill(std::size_t pages, std::uint64_t until);
    // The last fill() stopped because there was nothing more.
    [[nodiscard]] bool drained() const { return drained_; }
    // Nothing below this tick is still to be read, as far as what was read shows.
    [[nodiscard]] std::uint64_t newest_page_tick() const { return newest_page_tick_; }

    // Losses that the pages read so far gave a number for.
    [[nodiscard]] std::uint64_t lost_reported() const { return lost_reported_; }

    [[nodiscard]] int cpu() const { return cpu_; }
    [[nodiscard]] bool empty() const { return !has_item_; }
    [[nodiscard]] std::uint64_t front_tick() const { return item_.record.tick; }
    // To visit(TraceRecord) the events, to visit(const TraceItem&) whatever else there is, as long as their ticks are at
    // most `limit`. The place in the page and the record are local variables meanwhile: members would be stored and loaded
    // again around every visit.
    template <typename Visit>
    void take(std::uint64_t limit, Visit visit) {
        while (has_item_ && item_.record.tick <= limit) {
            if (item_.kind != TraceItem::Kind::kEvent) {
                visit(std::as_const(item_));
            } else {
                const TracePage page = page_;
                TracePage::Place place = page.place();
                TraceRecord record = item_.record;
                bool is_there = true;
                do {
                    visit(record);
                    is_there = page.next_usual(place, record);
                } while (is_there && record.tick <= limit);
                page_.go(place);
                item_.record = record;
                if (is_there) return;
            }
            has_item_ = next();
        }
    }

private:
    struct Slot {
        std::unique_ptr<std::byte[]> bytes;
        std::size_t used = 0;
    };
    bool next();
    bool next_page();
    void leave_page();
    Slot take_spare();

    int cpu_;
    ReadPage read_page_;
    std::size_t page_bytes_;
    std::deque<Slot> waiting_;  // oldest first; the first one is being taken while in_page_
    std::vector<Slot> spare_;   // used last, first again: still in the processor's cache
    TracePage page_;
    bool in_page_ = false;
    bool drained_ = false;
    std::uint64_t newest_page_tick_ = 0;
    std::uint64_t last_tick_ = 0;  // of the last event in the pages left behind
    std::uint64_t lost_reported_ = 0;
    TraceItem item_;
    bool has_item_ = false;
};

// Reads of a trace_pipe_raw descriptor.
CpuReader::ReadPage read_descriptor(UniqueFd fd);

}  // namespace sla::linux
