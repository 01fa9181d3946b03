// How a question's conditions on one table become a plan: which of them the table's own walk fulfils, in what order rows come,
// and what of them is looked at. Private to the room.
#pragma once

#include "viewer/sql/tables/table.h"
#include "viewer/sql/tables/virtual_table.h"

#include <sqlite3.h>

namespace sla::sql {

struct OpenTable : sqlite3_vtab {
    OpenTable(const Table& from, const Shared& with) : sqlite3_vtab{}, table(from), shared(with) {}
    const Table& table;
    const Shared& shared;
};

// A plan is handed from choosing to scanning as text: two characters for each argument, its column's role and its test;
// then two for each term of the order that rows are to come in.
inline constexpr char kPlanBase = 'A';

// What a question looks at, as idxNum.
enum Looks : int { kAtNothing = 1, kAtTextsOfLanes = 2, kAtOneOfEach = 4 };

// SQLite's result code.
int choose_plan(sqlite3_vtab* base, sqlite3_index_info* info);

// SQLITE_ERROR, with these words.
int refuse(sqlite3_vtab* base, const char* why);

}  // namespace sla::sql
