// Tables as people read them on a terminal: few columns, units instead of nanoseconds, no line wider than 120 characters.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/extra_columns.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats {

inline constexpr std::size_t kPeopleWidth = 120;

// "net.r…ueue.12": no longer than `width` characters; what is left out stands for the middle.
std::string shortened(std::string_view text, std::size_t width);
// "prev_comm=bash pr…": the same for texts that say the most at their beginning.
std::string cut_off(std::string_view text, std::size_t width);

// A table that fits in memory. Columns are as wide as their widest field; when they do not fit, the widest texts are
// shortened.
class PeopleTable {
public:
    // The columns' names; those that begin with > stand at the right, without it.
    explicit PeopleTable(std::initializer_list<std::string_view> names);

    void add(std::vector<std::string> row);
    [[nodiscard]] std::size_t size() const { return rows_.size(); }

    [[nodiscard]] std::string text() const;
    // Writes and finishes.
    Result<void> write(Output& output) const;

private:
    [[nodiscard]] std::vector<Column> fitted() const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// The event table (table.h) for people: time, both deltas, channel, thread, kind, value, the caller's columns, text. One unit
// for all times, down to the nanosecond. Writes and finishes; returns the number of rows.
Result<std::uint64_t> write_people_table(const store::Session& session, const analysis::Selection& selection, Output& output,
                                         const Progress& progress = {}, const ExtraColumns* extra = nullptr);

}  // namespace sla::formats
