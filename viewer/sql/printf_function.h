// printf() and format(), which are SQLite's own within a bound: a field of two billion letters keeps SQLite busy for ten
// seconds in which nothing can stop it, even where the text is refused as too long in the end. Private to the room.
#pragma once

struct sqlite3;

namespace sla::sql {

// SQLite's result code.
int bound_printf(sqlite3* database);

}  // namespace sla::sql
