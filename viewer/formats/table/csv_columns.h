// What a table's columns mean, by its first line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats {

enum class CsvColumn : std::uint8_t { kTick, kTime, kSource, kThread, kChannel, kKind, kValue, kText, kCount };

class CsvColumns {
public:
    // Of a header; of a first line that is data already: time,channel,value by place.
    explicit CsvColumns(std::string_view first_line);
    // Of a row whose fields have names; more of them may come.
    explicit CsvColumns(const std::vector<std::string>& names);
    void add(const std::string& name_of_next) { name(name_of_next, static_cast<int>(count_++)); }

    [[nodiscard]] bool has(CsvColumn column) const { return at(column) >= 0; }
    // Of the first line.
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] bool has_header() const { return has_header_; }
    [[nodiscard]] bool is_ours() const { return ours_; }
    // A field of a row; empty when the table has no such column or the row ends before it.
    [[nodiscard]] std::string_view field(const std::vector<std::string>& fields, CsvColumn column) const {
        const int place = at(column);
        return place < 0 || static_cast<std::size_t>(place) >= fields.size() ? std::string_view()
                                                                             : fields[static_cast<std::size_t>(place)];
    }
    // Quotes may hold separators and line ends.
    [[nodiscard]] bool has_quotes() const { return separator_ != '\t'; }
    void split(std::string_view line, std::vector<std::string>& fields) const;
    // Picoseconds of a time field.
    [[nodiscard]] std::optional<__int128> time_ps(std::string_view text) const;

private:
    [[nodiscard]] int at(CsvColumn column) const { return places_[static_cast<std::size_t>(column)]; }
    void name(std::string name, int place);

    void take(std::string& field, std::vector<std::string>& fields) const;

    char separator_ = ',';
    bool is_spaced_ = false;  // the first line has blanks behind its separators: those of all lines are none of a field
    std::size_t count_ = 0;
    bool has_header_ = true;
    bool ours_ = false;
    int shift_ = 12;  // a time of 1 is 10^shift ps
    std::array<int, static_cast<std::size_t>(CsvColumn::kCount)> places_;
};

}  // namespace sla::formats
