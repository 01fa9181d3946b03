#include "viewer/counters/section_table.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sla::counters {

namespace {

struct Ratio {
    const char* name;
    const char* above;
    const char* below;
    double times;
    const char* meaning;
};

constexpr std::array kRatios{
    Ratio{"host:cpi", "host:cycles", "host:instructions", 1, "clocks an instruction"},
    Ratio{"host:cache-mpki", "host:cache-misses", "host:instructions", 1000, "cache misses a thousand instructions"},
    Ratio{"host:branch-miss-rate", "host:branch-misses", "host:branches", 1, "of branches predicted wrongly"},
    Ratio{"pentium:data-mpki", "pentium:data-misses", "pentium:instructions", 1000, "data misses a thousand instructions"},
    Ratio{"pentium:code-mpki", "pentium:code-miss", "pentium:instructions", 1000, "code misses a thousand instructions"},
    Ratio{"pentium:data-miss-rate", "pentium:data-misses", "pentium:data-accesses", 1, "of data accesses that miss"},
    Ratio{"pentium:pairing", "pentium:v-pipe", "pentium:instructions", 1,
          "of instructions in the V pipe; 0.5 is all paired"},
    Ratio{"pentium:flush-rate", "pentium:pipeline-flushes", "pentium:branches", 1, "flushes a branch"},
    Ratio{"pentium:btb-hit-rate", "pentium:btb-hits", "pentium:branches", 1, "branches found in the BTB"},
};

const Row* row_named(const std::vector<Row>& rows, const char* event) {
    const auto found = std::find_if(rows.begin(), rows.end(), [event](const Row& row) { return row.event == event; });
    return found == rows.end() || found->numbers.n == 0 ? nullptr : &*found;
}

// "2 had not ended; 1 lost".
std::string in_words(const std::map<std::string, std::uint64_t>& missed) {
    std::string out;
    for (const auto& [why, spans] : missed) out += (out.empty() ? "" : "; ") + std::to_string(spans) + " " + why;
    return out;
}

void add_words(std::string& note, const std::string& more) {
    if (!more.empty()) note += (note.empty() ? "" : "; ") + more;
}

bool is_empty_one(const std::string& name) {
    return name == "empty" || name.ends_with(".empty");
}

// A guest's marker costs the guest instructions; what is counted from outside, from one address to another or in an ISR,
// costs nothing.
bool has_cost_of(const std::string& empty, const std::string& section) {
    constexpr std::string_view kOfGuest = "guest.";
    return section != "program" && (!empty.starts_with(kOfGuest) || section.starts_with(kOfGuest));
}

}  // namespace

std::size_t SectionTable::column_of(const Event& event) {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) { return column.event == event; });
    if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    columns_.push_back({event, "exact", ""});
    for (Section& section : sections_) section.cells.emplace_back();
    return columns_.size() - 1;
}

SectionTable::Section& SectionTable::section_of(const std::string& name) {
    for (Section& section : sections_) {
        if (section.name == name) return section;
    }
    sections_.push_back({name, std::vector<Cell>(columns_.size())});
    return sections_.back();
}

SectionTable::Cell& SectionTable::cell_of(const std::string& section, const Event& event) {
    const std::size_t column = column_of(event);
    return section_of(section).cells[column];
}

const SectionTable::Section* SectionTable::find_section(const std::string& name) const {
    const auto found =
        std::find_if(sections_.begin(), sections_.end(), [&](const Section& section) { return section.name == name; });
    return found == sections_.end() ? nullptr : &*found;
}

void SectionTable::describe(const Event& event, const std::string& how, const std::string& note) {
    Column& column = columns_[column_of(event)];
    column.how = how;
    column.note = note;
}

void SectionTable::multiplexed(const Event& event) {
    columns_[column_of(event)].how = "multiplexed";
}

void SectionTable::add(const std::string& section, const Event& event, std::uint64_t value, std::uint64_t times) {
    cell_of(section, event).counts[value] += times;
}

void SectionTable::rounded(const std::string& section, const Event& event, std::uint64_t grain, std::uint64_t cut_off) {
    Cell& cell = cell_of(section, event);
    cell.grain = std::max(cell.grain, grain);
    cell.cut_off += cut_off;
}

void SectionTable::missed(const std::string& section, const Event& event, std::uint64_t spans, const std::string& why) {
    if (spans > 0) cell_of(section, event).missed[why] += spans;
}

std::string SectionTable::missed_of(const std::string& section) const {
    const Section* found = find_section(section);
    if (found == nullptr) return "";
    for (const Cell& cell : found->cells) {
        if (!cell.missed.empty()) return in_words(cell.missed);
    }
    return "";
}

SectionTable::Total SectionTable::total_of(const std::string& section, const Event& event) const {
    Total out;
    const Section* found = find_section(section);
    for (std::size_t column = 0; found != nullptr && column < columns_.size(); ++column) {
        if (!(columns_[column].event == event)) continue;
        const Cell& cell = found->cells[column];
        out.sum = cell.cut_off;
        for (const auto& [value, times] : cell.counts) {
            out.n += times;
            out.sum += value * times;
        }
    }
    return out;
}

const SectionTable::Section* SectionTable::empty_section() const {
    const auto found =
        std::find_if(sections_.begin(), sections_.end(), [](const Section& section) { return is_empty_one(section.name); });
    return found == sections_.end() ? nullptr : &*found;
}

Row SectionTable::row_of(const Section& section, std::size_t column, const Section* empty) const {
    const Column& of = columns_[column];
    const Cell& cell = section.cells[column];
    Row row{section.name, of.event.name(), of.how, summary_of(cell.counts), {}, of.note};
    add_words(row.note, in_words(cell.missed));
    if (cell.grain > 1) {
        if (row.how == "exact") row.how = "rounded";
        add_words(row.note, "too many different numbers: rounded down to multiples of " + std::to_string(cell.grain));
    }
    if (empty == nullptr || empty == &section || row.numbers.n == 0 || !has_cost_of(empty->name, section.name)) return row;
    const Summary cost = summary_of(empty->cells[column].counts);
    if (cost.n == 0) return row;
    row.subtracted = cost.median;
    for (double* number : {&row.numbers.min, &row.numbers.mean, &row.numbers.median, &row.numbers.max})
        *number -= cost.median;
    return row;
}

bool SectionTable::is_counted(std::size_t column) const {
    return std::any_of(sections_.begin(), sections_.end(),
                       [column](const Section& section) { return !section.cells[column].counts.empty(); });
}

std::vector<Row> SectionTable::rows(bool brief) const {
    const Section* empty = empty_section();
    std::vector<Row> out;
    for (const Section& section : sections_) {
        std::vector<Row> own;
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            if (!brief || is_counted(column)) own.push_back(row_of(section, column, empty));
        }
        const std::vector<Row> ratios = ratios_of(own);
        out.insert(out.end(), own.begin(), own.end());
        out.insert(out.end(), ratios.begin(), ratios.end());
    }
    const bool once = brief || sections_.empty();
    for (std::size_t column = 0; once && column < columns_.size(); ++column) {
        if (is_counted(column)) continue;
        const Column& of = columns_[column];
        out.push_back({"program", of.event.name(), of.how, {}, {}, of.note});
    }
    return out;
}

std::string empty_beside(const std::string& section) {
    if (is_empty_one(section)) return "";
    return section.substr(0, section.rfind('.') == std::string::npos ? 0 : section.rfind('.') + 1) + "empty";
}

std::optional<std::pair<std::string_view, std::string_view>> parts_of_ratio(std::string_view name) {
    const auto found = std::find_if(kRatios.begin(), kRatios.end(), [name](const Ratio& one) { return one.name == name; });
    if (found == kRatios.end()) return std::nullopt;
    return std::pair<std::string_view, std::string_view>(found->above, found->below);
}

std::vector<Row> ratios_of(const std::vector<Row>& rows) {
    std::vector<Row> out;
    for (const Ratio& ratio : kRatios) {
        const Row* above = row_named(rows, ratio.above);
        const Row* below = row_named(rows, ratio.below);
        if (above == nullptr || below == nullptr || below->numbers.mean <= 0) continue;
        Row row{above->section, ratio.name, above->how, {}, {}, ratio.meaning};
        row.numbers.n = std::min(above->numbers.n, below->numbers.n);
        row.numbers.mean = row.numbers.min = row.numbers.median = row.numbers.max =
            ratio.times * above->numbers.mean / below->numbers.mean;
        out.push_back(row);
    }
    return out;
}

}  // namespace sla::counters
