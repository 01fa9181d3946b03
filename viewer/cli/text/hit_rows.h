// Hits of sla find as rows of its table, written as they are found.
#pragma once

#include "viewer/analysis/filter/hit_search.h"
#include "viewer/analysis/selection.h"
#include "viewer/formats/table/flowing_table.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

// What it is given outlives it.
class HitRows {
public:
    HitRows(const store::Session& session, const analysis::TimeRange& range, formats::FlowingTable& table,
            bool is_for_people)
        : clock_(session.clock()), range_(range), table_(table), is_for_people_(is_for_people) {}
    static std::vector<std::string> names(bool is_for_people);

    // Those outside the range are left out. False: nobody reads on.
    Result<bool> add(const analysis::FoundHit& hit);

private:
    const time::ClockMap& clock_;
    const analysis::TimeRange& range_;
    formats::FlowingTable& table_;
    bool is_for_people_;
    std::uint64_t previous_ = 0;  // tick of the last one
};

}  // namespace sla::cli
