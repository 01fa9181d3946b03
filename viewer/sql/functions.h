// SQL functions beside SQLite's own: ns('1.5ms') is 1500000.0; duration(1500000.0) is '1.5 ms'; percentile(x, 99) over the
// rows of a group, by nearest rank as `sla stats` takes it. Private to the room.
#pragma once

struct sqlite3;

namespace sla::sql {

// SQLite's result code.
int add_functions(sqlite3* database);

}  // namespace sla::sql
