// What sections of programs counted, event by event: gathered run by run, then reported as rows.
//
//   runs ──add()──► SectionTable ──rows()──► one row an event and section, then the ratios that people read
//
// An empty section (one named `empty`, or whose last part is: guest.empty) is what measuring itself costs; its median is
// subtracted from every other section's numbers of the same event, but not from those of the whole `program`. A guest's is
// subtracted from the guest's own sections alone: code ranges and ISRs have no marker in them.
#pragma once

#include "viewer/counters/event.h"
#include "viewer/counters/summary.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::counters {

struct Row {
    std::string section;
    std::string event;  // "host:instructions", or a ratio: "pentium:pairing"
    std::string
        how;  // exact, rounded, modelled, multiplexed; "not offered", "not present", "no permission": nothing was counted
    Summary numbers;
    std::optional<double> subtracted;
    std::string note;
};

class SectionTable {
public:
    // How the event is known, and why it is not counted, if so; of all sections.
    void describe(const Event& event, const std::string& how, const std::string& note);
    void add(const std::string& section, const Event& event, std::uint64_t value, std::uint64_t times = 1);
    // Values that were added are multiples of `grain`, rounded down by so much, all together.
    void rounded(const std::string& section, const Event& event, std::uint64_t grain, std::uint64_t cut_off);
    // Spans of it that were not counted, run by run, and why: "had not ended".
    void missed(const std::string& section, const Event& event, std::uint64_t spans, const std::string& why);
    // All that was not counted of a section, in words; "": nothing.
    [[nodiscard]] std::string missed_of(const std::string& section) const;
    // How many values there are of that event, and their sum, culled ones too.
    struct Total {
        std::uint64_t n = 0;
        std::uint64_t sum = 0;
    };
    [[nodiscard]] Total total_of(const std::string& section, const Event& event) const;
    void multiplexed(const Event& event);

    // `brief`: events that were counted in no section are reported once, of the `program`, instead of once a section.
    // Always so where there is no section.
    [[nodiscard]] std::vector<Row> rows(bool brief = false) const;

private:
    struct Column {
        Event event;
        std::string how;
        std::string note;
    };
    struct Cell {
        Counts counts;
        std::uint64_t grain = 1;
        std::uint64_t cut_off = 0;
        std::map<std::string, std::uint64_t> missed;  // spans, by the reason
    };
    struct Section {
        std::string name;
        std::vector<Cell> cells;  // by the number of the event
    };
    std::size_t column_of(const Event& event);
    Section& section_of(const std::string& name);
    Cell& cell_of(const std::string& section, const Event& event);
    [[nodiscard]] const Section* find_section(const std::string& name) const;
    [[nodiscard]] bool is_counted(std::size_t column) const;
    [[nodiscard]] const Section* empty_section() const;
    [[nodiscard]] Row row_of(const Section& section, std::size_t column, const Section* empty) const;

    std::vector<Column> columns_;
    std::vector<Section> sections_;
};

// "guest.empty" of "guest.work", which says what measuring that section costs; "" of one that is it.
std::string empty_beside(const std::string& section);

// The names of the two events that a ratio of that name is made of; nothing: there is no such ratio.
std::optional<std::pair<std::string_view, std::string_view>> parts_of_ratio(std::string_view name);

// Ratios of the rows of one section: clocks an instruction, misses a thousand instructions, pairing rate.
std::vector<Row> ratios_of(const std::vector<Row>& rows);

}  // namespace sla::counters
