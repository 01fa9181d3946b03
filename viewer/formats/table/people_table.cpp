#include "viewer/formats/table/people_table.h"

#include "proto/base/check.h"
#include "proto/base/terminal_text.h"

#include <algorithm>

namespace sla::formats {

namespace {

constexpr std::size_t kBetween = 2;  // blanks between columns
constexpr std::size_t kMinText = 8;

std::size_t line_width(const std::vector<Column>& columns) {
    std::size_t width = kBetween * (columns.size() - 1);
    for (const Column& column : columns) width += column.width;
    return width;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t width) {
    if (terminal_columns(text) <= width) return std::string(text);
    const std::size_t tail = (width - 1) / 2;
    const std::size_t head = width - 1 - tail;
    return std::string(first_columns(text, head)) + "\u2026" + std::string(last_columns(text, tail));
}

std::string cut_off(std::string_view text, std::size_t width) {
    if (terminal_columns(text) <= width) return std::string(text);
    return std::string(first_columns(text, width - 1)) + "\u2026";
}

PeopleTable::PeopleTable(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const bool right = name.starts_with('>');
        columns_.push_back({std::string(name.substr(right ? 1 : 0)), 0, right});
    }
}

void PeopleTable::add(std::vector<std::string> row) {
    SLA_CHECK(row.size() == columns_.size());
    rows_.push_back(std::move(row));
}

std::vector<Column> PeopleTable::fitted() const {
    std::vector<Column> columns = columns_;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].width = terminal_columns(columns[i].name);
        for (const auto& row : rows_) columns[i].width = std::max(columns[i].width, terminal_columns(row[i]));
    }
    while (line_width(columns) > kPeopleWidth) {
        const auto widest = std::max_element(columns.begin(), columns.end(), [](const Column& a, const Column& b) {
            return (a.right ? 0 : a.width) < (b.right ? 0 : b.width);
        });
        if (widest->right || widest->width <= kMinText) break;  // numbers are never cut
        --widest->width;
    }
    return columns;
}

std::string PeopleTable::text() const {
    const std::vector<Column> columns = fitted();
    const auto writer = make_text_writer(columns);
    ByteBuffer out;
    writer->begin(out);
    for (const auto& row : rows_) {
        writer->begin_row(out);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            writer->text(out, columns[i].right ? row[i] : shortened(row[i], columns[i].width));
        }
        writer->end_row(out);
    }
    writer->end(out);
    return std::string(out.view());
}

Result<void> PeopleTable::write(Output& output) const {
    if (auto written = output.write(text()); !written.ok()) return written;
    return output.finish();
}

}  // namespace sla::formats
