#include "viewer/formats/table/small_table.h"

#include "proto/base/check.h"
#include "proto/base/terminal_text.h"

#include <algorithm>

namespace sla::formats {

namespace {

void put(const Field& field, RowWriter& writer, ByteBuffer& out) {
    if (const auto* text = std::get_if<std::string>(&field)) return writer.text(out, *text);
    if (const auto* number = std::get_if<std::uint64_t>(&field)) return writer.number(out, *number);
    if (const auto* number = std::get_if<double>(&field)) return writer.number_float(out, *number);
    if (const auto* ps = std::get_if<Ps>(&field)) return writer.ns(out, ps->value);
    writer.empty(out);
}

std::size_t shown_width(const Field& field) {
    const auto writer = make_text_writer({{"", 0, true}});
    ByteBuffer out;
    writer->begin_row(out);
    put(field, *writer, out);
    return terminal_columns(out.view());
}

}  // namespace

void SmallTable::add(std::vector<Field> row) {
    SLA_CHECK(row.size() == names_.size());
    rows_.push_back(std::move(row));
}

std::unique_ptr<RowWriter> SmallTable::make_writer(Format format) const {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        Column column{names_[i], names_[i].size(), false};
        for (const auto& row : rows_) {
            column.width = std::max(column.width, shown_width(row[i]));
            column.right = column.right || (row[i].index() != 0 && !std::holds_alternative<std::string>(row[i]));
        }
        columns.push_back(column);
    }
    return make_row_writer(format, columns);
}

void SmallTable::append_rows(ByteBuffer& out, RowWriter& writer) const {
    for (const auto& row : rows_) {
        writer.begin_row(out);
        for (const Field& field : row) put(field, writer, out);
        writer.end_row(out);
    }
}

void SmallTable::append_to(ByteBuffer& out, Format format) const {
    const auto writer = make_writer(format);
    writer->begin(out);
    append_rows(out, *writer);
    writer->end(out);
}

Result<void> SmallTable::write(Format format, Output& output) const {
    ByteBuffer buffer;
    append_to(buffer, format);
    if (auto written = output.write(buffer.view()); !written.ok()) return written.error();
    return output.finish();
}

}  // namespace sla::formats
