// Events a second, of each lane and in all, as numbers that can be read: renewed, and put into words, a few times a second.
#pragma once

#include "viewer/store/session.h"

#include <string>
#include <unordered_map>

namespace sla::workspace {

class LaneRates {
public:
    // Live: over the last second. Of a finished capture: over its whole length.
    void refresh(const store::Session& session, double seconds);

    struct Rate {
        std::string number;     // "12.5 k"; "0" of a lane that is not known yet
        std::string with_unit;  // "12.5 k/s"; empty when there are none
    };
    [[nodiscard]] const Rate& of(const store::Lane& lane) const;
    [[nodiscard]] double total() const { return total_; }

private:
    std::unordered_map<const store::Lane*, Rate> rates_;
    Rate none_{"0", ""};
    double total_ = 0;
    double age_ = 1e9;
    std::uint64_t revision_ = ~std::uint64_t{0};
};

}  // namespace sla::workspace
