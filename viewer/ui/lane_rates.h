// Events a second, of each lane and in all, as numbers that can be read: renewed a few times a second.
#pragma once

#include "viewer/store/session.h"

#include <unordered_map>

namespace sla::ui {

class LaneRates {
public:
    // Live: over the last second. Of a finished capture: over its whole length.
    void refresh(const store::Session& session, double seconds);

    [[nodiscard]] double of(const store::Lane& lane) const;
    [[nodiscard]] double total() const { return total_; }

private:
    std::unordered_map<const store::Lane*, double> rates_;
    double total_ = 0;
    double age_ = 1e9;
    std::uint64_t revision_ = ~std::uint64_t{0};
};

}  // namespace sla::ui
