// MinimapCounts: how many events a capture has in each of many short stretches of time. Rows are counted one by one where the
// sums of their page do not say where in it they lie and it matters to a strip so narrow.
//
//   origin ├─step─┼─step─┼ …    four a pixel at first; twice as long when the capture has grown too long for so many
//
// Made beside the frames, from a view of the session, and continued when more has come. Memory: 8 bytes a step, some 50 a lane.
#pragma once

#include "viewer/store/session.h"
#include "viewer/timeline/viewport.h"

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace sla::timeline {

// The page, drawn evenly over its time, would show events where there may be a silence that can be seen, or it is so long
// that it says little.
[[nodiscard]] bool needs_rows(const store::Page& page, double ticks_per_pixel);

class MinimapCounts {
public:
    explicit MinimapCounts(const Viewport& strip);

    // Of all rows that came since the last call. `go_on` is asked now and then; false: this was given up and is of no use any
    // more. Reads the rows of uncertain pages, each chunk of the file once.
    bool count(const store::Session& session, const std::function<bool()>& go_on);

    // Which of a lane's rows are counted: so many, the last of them at that tick.
    struct Counted {
        std::uint64_t rows = 0;
        std::uint64_t last_tick = 0;
    };
    [[nodiscard]] Counted of(ChannelId lane) const;
    // These are counts of the same capture, and steps are short enough for the strip.
    [[nodiscard]] bool fit(const store::Session& session, const Viewport& strip) const;

    // visit(tick, events) for each step that has some; the tick is in the middle of it.
    template <typename Visit>
    void visit(Visit visit) const {
        for (std::size_t i = 0; i < events_.size(); ++i) {
            if (events_[i] > 0) visit(origin_ + i * step_ + step_ / 2, events_[i]);
        }
    }

private:
    struct Uncertain {
        const store::Lane* lane = nullptr;
        std::size_t page = 0;
        std::uint32_t chunk = 0;
        std::uint64_t from = 0;  // the first row that is not counted yet
    };
    [[nodiscard]] std::size_t step_of(std::uint64_t tick) const;
    void make_space(std::uint64_t last_tick);
    void add_lane(const store::Lane& lane, std::vector<Uncertain>& uncertain);
    void add_chunk(const store::Session& session, std::span<const Uncertain> pages);
    void add_page(const Uncertain& page);
    void add_evenly(std::uint64_t first_tick, std::uint64_t last_tick, std::uint64_t rows);
    void add_rows(std::span<const std::uint64_t> ticks, std::vector<std::uint64_t>& to) const;

    std::uint64_t origin_ = 0;
    std::uint64_t step_ = 1;  // ticks
    std::uint64_t most_steps_ = 1;
    std::vector<std::uint64_t> events_;
    std::unordered_map<ChannelId, Counted> lanes_;
    std::uint64_t first_tick_ = 0;  // of the session
};

}  // namespace sla::timeline
