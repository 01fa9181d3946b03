// Table: one of the tables that questions are asked of, and how its rows are walked over. Nothing is copied: a scan reads
// the sessions, and these their files, a page at a time.
#pragma once

#include "viewer/sql/cell.h"
#include "viewer/sql/request.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::sql {

struct Column {
    const char* name;
    const char* type;  // SQL
    Role role = Role::kNone;
    bool is_hidden = false;
};

using Captures = std::vector<NamedCapture>;
// Asked now and then by scans that look at many rows for one; false stops.
using GoOn = std::function<bool()>;

// Rows from the first to the last; stands before the first one when it is made.
class Scan {
public:
    virtual ~Scan() = default;
    // False: at the end, or stopped.
    virtual bool next() = 0;
    // Why there is no walk at all; null: there is one.
    [[nodiscard]] virtual const char* problem() const { return nullptr; }
    // Of the row it stands at a number that no other row of the table has, the same in every walk whatever is asked: where one
    // question walks several times (OR, outer joins), SQLite tells by it which rows it has seen.
    [[nodiscard]] virtual std::uint64_t number() const = 0;
    virtual void put(std::size_t column, Cell& cell) = 0;
};

struct Table {
    const char* name;
    const char* what;  // a line for .schema
    std::vector<Column> columns;
    bool is_in_tick_order = false;  // within each capture, by the columns with a time's role
    // Names that its rows can be grouped by: then they come in order of these, and of ticks only within a group of one capture.
    std::vector<Role> groups_by = {};
    // How many rows there are, roughly.
    std::function<double(const Captures&)> rows;
    // All outlive the scan.
    std::function<std::unique_ptr<Scan>(const Captures&, const Request&, const GoOn&)> scan;
};

template <typename Of>
std::unique_ptr<Scan> scan_of(const Captures& captures, const Request& request, const GoOn& go_on) {
    return std::make_unique<Of>(captures, request, go_on);
}
// Over all lanes the sum of what `count` says of one.
template <typename Count>
double sum_of_lanes(const Captures& captures, Count count) {
    double sum = 0;
    for (const NamedCapture& capture : captures) {
        for (const LaneTexts& lane : capture.lanes()) sum += static_cast<double>(count(*lane.lane));
    }
    return sum;
}

// In the order of the handbook. They stand for ever.
const std::vector<Table>& tables();

// The makers behind it, one a file.
Table events_table();
Table spans_table();
Table pairs_table();
Table gaps_table();
void add_list_tables(std::vector<Table>& tables);

}  // namespace sla::sql
