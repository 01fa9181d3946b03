// FlowingTable: a table of any length, written row by row. In the text form columns are as wide as its first rows need, which are
// kept until then; what follows and is longer pushes its row to the right. Otherwise as SmallTable.
#pragma once

#include "viewer/formats/table/small_table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::formats {

class FlowingTable {
public:
    // `output` outlives it.
    FlowingTable(std::vector<std::string> names, Format format, Output& output)
        : rows_(std::move(names)), format_(format), output_(output) {}

    // False: nobody reads on.
    Result<bool> add(std::vector<Field> row);
    // Of all rows.
    [[nodiscard]] std::uint64_t size() const { return written_ + rows_.size(); }
    // Writes what is left and finishes the output.
    Result<void> finish();

private:
    static constexpr std::size_t kKeptRows = 500;
    void put_rows();

    SmallTable rows_;  // that are not in the buffer yet
    Format format_;
    Output& output_;
    ByteBuffer buffer_;
    std::unique_ptr<RowWriter> writer_;  // from the first rows on
    std::uint64_t written_ = 0;
};

}  // namespace sla::formats
