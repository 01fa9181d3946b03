// Hits of sla find as rows of its table, written as they are found.
#pragma once

#include "viewer/analysis/filter/hit_search.h"
#include "viewer/analysis/selection.h"
#include "viewer/formats/table/flowing_table.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sla::cli {

// What it is given outlives it.
class HitRows {
public:
    HitRows(const store::Session& session, const analysis::TimeRange& range, formats::FlowingTable& table,
            bool is_for_people);
    static std::vector<std::string> names(bool is_for_people);

    // Those outside the range are left out; one of a loss that lasts into it is at its begin. In order of their times, mostly.
    // False: nobody reads on.
    Result<bool> add(const analysis::FoundHit& hit);
    // There are no more.
    Result<bool> finish();

private:
    Result<bool> put(const analysis::FoundHit& hit);

    const time::ClockMap& clock_;
    analysis::Selection range_;
    std::set<std::uint64_t> losses_before_;           // ticks of those that last into the range
    std::optional<analysis::FoundHit> before_range_;  // that nobody can tell of, made by one of these; not written yet
    formats::FlowingTable& table_;
    bool is_for_people_;
    std::uint64_t previous_ = 0;  // tick of the last one
};

}  // namespace sla::cli
