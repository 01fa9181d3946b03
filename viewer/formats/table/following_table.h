// FollowingTable: the event table of what goes on: rows are written as soon as they are final, each once, with the deltas to
// those before, whoever has let go of them meanwhile. They are in the order of their times, but for those of a source that makes
// up its time and is behind the machine's clock: they come late, and are written then.
//
//   the session grows ─► write() ─► it grows, or is another one ─► write() ... finish()
//
// One owner, one thread. What a row costs is what it costs in json or text (tests/bench/export_bench), whatever the form.
#pragma once

#include "viewer/analysis/followed_lanes.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/rows/table_rows.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sla::formats {

class FollowingTable {
public:
    // `is_for_people`: few columns, with units.
    FollowingTable(Output& output, Format format, bool is_for_people)
        : output_(output), format_(format), is_for_people_(is_for_people) {}

    // Of what has become final the rows of these lanes, and of them those that the filter lets through.
    Result<void> write(const analysis::FinalRows& rows, const std::vector<const store::Lane*>& lanes,
                       const std::optional<analysis::EventFilter>& filter);
    // What the form has at its end. Nothing may follow.
    Result<void> finish();

    [[nodiscard]] std::uint64_t rows() const { return rows_ == nullptr ? 0 : rows_->rows(); }

private:
    void begin(const store::Session& session, const analysis::Selection& selection);
    Result<void> write_rows(const store::Session& session, const analysis::Selection& selection);
    Result<void> flush();

    Output& output_;
    Format format_;
    bool is_for_people_;
    analysis::FollowedLanes lanes_;
    std::unique_ptr<TableRows> rows_;  // null before the first write()
    ByteBuffer buffer_;
};

}  // namespace sla::formats
