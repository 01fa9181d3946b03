#include "viewer/formats/table/csv_columns.h"

#include "proto/base/text.h"
#include "proto/time/duration.h"
#include "viewer/formats/number_text.h"

#include <algorithm>
#include <array>

namespace sla::formats {

namespace {

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
    return out;
}

// Of a time with a unit that is far from 0, as one since 1970.
std::optional<__int128> far_time_ps(std::string_view text) {
    struct Unit {
        std::string_view name;
        int shift;
        int factor;
    };
    // Those that end as another does stand before it.
    constexpr std::array<Unit, 10> kUnits{{{"ms", 9, 1},
                                           {"us", 6, 1},
                                           {"\u00b5s", 6, 1},
                                           {"\u03bcs", 6, 1},
                                           {"ns", 3, 1},
                                           {"ps", 0, 1},
                                           {"s", 12, 1},
                                           {"min", 12, 60},
                                           {"m", 12, 60},
                                           {"h", 12, 3600}}};
    const auto unit = std::ranges::find_if(kUnits, [text](const Unit& one) { return text.ends_with(one.name); });
    if (unit == kUnits.end()) return std::nullopt;
    text.remove_suffix(unit->name.size());
    const auto ps = read_scaled_wide(trimmed(text, " "), unit->shift);
    if (!ps) return std::nullopt;
    return *ps * unit->factor;
}

}  // namespace

CsvColumns::CsvColumns(std::string_view first_line) {
    places_.fill(-1);
    if (first_line.starts_with("\xef\xbb\xbf")) first_line.remove_prefix(3);
    if (first_line.find('\t') != std::string_view::npos) separator_ = '\t';
    if (separator_ == ',' && first_line.find(',') == std::string_view::npos &&
        first_line.find(';') != std::string_view::npos)
        separator_ = ';';
    is_spaced_ = separator_ != '\t' && first_line.find(std::string(1, separator_) + ' ') != std::string_view::npos;
    ours_ = first_line.starts_with(separator_ == '\t' ? "index\ttick\ttime_ns\t" : "index,tick,time_ns,");
    std::vector<std::string> names;
    split(first_line, names);
    count_ = names.size();
    has_header_ = names.empty() || !time_ps(names[0]);
    if (!has_header_) names = {"time", "channel", "value"};
    for (std::size_t i = 0; i < names.size(); ++i) name(names[i], static_cast<int>(i));
}

CsvColumns::CsvColumns(const std::vector<std::string>& names) {
    places_.fill(-1);
    ours_ = names.size() > 2 && names[0] == "index" && names[1] == "tick" && names[2] == "time_ns";
    for (const std::string& one : names) add(one);
}

void CsvColumns::name(std::string name, int place) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c == ' ' || c == '[' || c == ']' || c == '_'; }),
               name.end());
    constexpr std::pair<std::string_view, int> kTimes[] = {{"time", 12},  {"times", 12}, {"timems", 9},    {"timeus", 6},
                                                           {"timens", 3}, {"timeps", 0}, {"timestamp", 12}};
    constexpr std::pair<std::string_view, CsvColumn> kOthers[] = {
        {"tick", CsvColumn::kTick},       {"source", CsvColumn::kSource}, {"thread", CsvColumn::kThread},
        {"channel", CsvColumn::kChannel}, {"name", CsvColumn::kChannel},  {"kind", CsvColumn::kKind},
        {"value", CsvColumn::kValue},     {"text", CsvColumn::kText}};
    for (const auto& [word, shift] : kTimes) {
        if (word != name || has(CsvColumn::kTime)) continue;
        places_[static_cast<std::size_t>(CsvColumn::kTime)] = place;
        shift_ = shift;
    }
    for (const auto& [word, column] : kOthers) {
        if (word == name && !has(column)) places_[static_cast<std::size_t>(column)] = place;
    }
}

void CsvColumns::split(std::string_view line, std::vector<std::string>& fields) const {
    fields.clear();
    if (separator_ == '\t') {
        for (std::size_t start = 0;;) {
            const std::size_t end = std::min(line.find('\t', start), line.size());
            fields.push_back(unescaped(line.substr(start, end - start)));
            if (end == line.size()) return;
            start = end + 1;
        }
    }
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
                field += line[++i];
            } else {
                quoted = !quoted;
            }
        } else if (line[i] == separator_ && !quoted) {
            take(field, fields);
        } else {
            field += line[i];
        }
    }
    take(field, fields);
}

void CsvColumns::take(std::string& field, std::vector<std::string>& fields) const {
    fields.emplace_back(is_spaced_ ? std::string(trimmed(field, " ")) : std::move(field));
    field.clear();
}

std::optional<__int128> CsvColumns::time_ps(std::string_view text) const {
    if (const auto plain = read_scaled_wide(text, shift_)) return plain;
    const auto with_unit = time::parse_duration(text);
    if (with_unit.ok()) return *with_unit;
    if (const auto far = far_time_ps(text)) return far;
    const auto real = read_number<double>(text);  // 1e-6
    if (!real || !(*real > -9e6 && *real < 9e6) || shift_ != 12) return std::nullopt;
    return static_cast<__int128>(*real * 1e12);
}

}  // namespace sla::formats
