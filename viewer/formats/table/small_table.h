// SmallTable: a table that fits in memory, for lists of channels, checks and the like. Columns become as wide as their
// widest field.
#pragma once

#include "viewer/formats/output.h"
#include "viewer/formats/table/format.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace sla::formats {

// Picoseconds, shown as nanoseconds with three decimals.
struct Ps {
    std::int64_t value = 0;
};

// monostate: empty.
using Field = std::variant<std::monostate, std::string, std::uint64_t, double, Ps>;

class SmallTable {
public:
    // Numbers stand at the right in the text form.
    explicit SmallTable(std::vector<std::string> names) : names_(std::move(names)) {}

    void add(std::vector<Field> row);
    void clear() { rows_.clear(); }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }

    void append_to(ByteBuffer& out, Format format) const;
    // For tables that come one after the other under one header: a writer for columns as wide as these, and the rows alone.
    [[nodiscard]] std::unique_ptr<RowWriter> make_writer(Format format) const;
    void append_rows(ByteBuffer& out, RowWriter& writer) const;
    // Writes and finishes.
    [[nodiscard]] Result<void> write(Format format, Output& output) const;

private:
    std::vector<std::string> names_;
    std::vector<std::vector<Field>> rows_;
};

}  // namespace sla::formats
