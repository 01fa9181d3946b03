// Events a second, of each lane and in all, as numbers that can be read: renewed a few times a second. A lane's is counted and
// put into words when it is asked for, so that only those in sight cost something; that of all lanes a few lanes a frame.
//
// Live: over the last second; where that begins within a page that is not in memory, over the time since the page's first row,
// a little longer. Of a finished capture: over the time in which the lane is recorded (analysis/lane_rate.h), and in all over the
// capture's whole length. Owner: the window's thread.
#pragma once

#include "viewer/store/session.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace sla::workspace {

class LaneRates {
public:
    // Once a frame; the session outlives it. Of very many lanes total() is some frames old.
    void refresh(const store::Session& session, double seconds);

    struct Rate {
        std::string number;     // "12.5 k"; "0" of a lane that is not known yet
        std::string with_unit;  // "12.5 k/s"; empty when there are none
    };
    // Stands until the next refresh().
    [[nodiscard]] const Rate& of(const store::Lane& lane) const;
    [[nodiscard]] double total() const { return total_; }

private:
    // What rates are counted over while it is live; `per_second`: ticks.
    struct Window {
        std::uint64_t from = 0;
        std::uint64_t until = 0;
        double per_second = 0;
    };
    static Window window_of(const store::Session& session);
    [[nodiscard]] static double rate_of(const store::Lane& lane, const Window& window);
    void add_up(const store::Session& session);

    const store::Session* session_ = nullptr;
    Window window_;
    mutable std::unordered_map<const store::Lane*, Rate> rates_;  // that were asked for, over window_
    double total_ = 0;
    double age_ = 1e9;
    std::uint64_t revision_ = ~std::uint64_t{0};
    // Of the next total:
    Window adding_;
    std::size_t next_lane_ = 0;
    double sum_ = 0;
    bool is_adding_ = false;
};

}  // namespace sla::workspace
