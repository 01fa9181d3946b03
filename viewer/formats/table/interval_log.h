// A table of what was counted in one interval after the other: columns time_ns, interval_ns, then one for each count, and
// `estimated`: the names of the counts that are no exact ones in that interval, with blanks between.
// Rows come as they are counted, so that a reader of a pipe sees each; a file appears when it is whole. One owner, one thread.
#pragma once

#include "viewer/formats/output.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sla::formats {

class IntervalLog {
public:
    // "" and "-" are standard output.
    static Result<IntervalLog> open(const std::vector<std::string>& names, Format format, const std::string& path);

    // The interval that ended then; in the order of the names, nothing for a count that nobody knows. `estimates`: which of them
    // are no exact ones.
    Result<void> add(std::int64_t at_ps, std::int64_t interval_ps, std::span<const std::optional<std::uint64_t>> counts,
                     std::span<const std::size_t> estimates);
    Result<void> finish();
    [[nodiscard]] bool is_closed() const { return out_.is_closed(); }
    [[nodiscard]] std::uint64_t rows() const { return rows_; }

private:
    IntervalLog(Output out, std::vector<std::string> names, std::unique_ptr<RowWriter> writer)
        : out_(std::move(out)), names_(std::move(names)), writer_(std::move(writer)) {}

    Output out_;
    std::vector<std::string> names_;
    std::unique_ptr<RowWriter> writer_;
    std::uint64_t rows_ = 0;
};

}  // namespace sla::formats
