// FollowingTable: the event table of what goes on: rows are written as soon as they are final, each once, with the deltas to
// those before, whoever has let go of them meanwhile.
//
//   the session grows ─► write() ─► it grows, or is another one ─► write() ... finish()
//
// One owner, one thread. What a row costs is what it costs in json or text (tests/bench/export_bench), whatever the form.
#pragma once

#include "viewer/formats/output.h"
#include "viewer/formats/table/rows/table_rows.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace sla::formats {

class FollowingTable {
public:
    // `is_for_people`: few columns, with units.
    FollowingTable(Output& output, Format format, bool is_for_people)
        : output_(output), format_(format), is_for_people_(is_for_people) {}

    // The first rows of a lane that were given before, though others of their time were not.
    using Given = std::function<std::uint64_t(const store::Lane&)>;
    // The rows of that selection that are final now.
    Result<void> write(const store::Session& session, const analysis::Selection& selection, const Given& given);
    // What the form has at its end. Nothing may follow.
    Result<void> finish();

    [[nodiscard]] std::uint64_t rows() const { return rows_ == nullptr ? 0 : rows_->rows(); }

private:
    Result<void> flush();

    Output& output_;
    Format format_;
    bool is_for_people_;
    std::unique_ptr<TableRows> rows_;  // null before the first write()
    ByteBuffer buffer_;
};

}  // namespace sla::formats
