// The tables as SQLite sees them: virtual tables that are there without being made, and can only be read. Private to the room.
#pragma once

#include "viewer/sql/tables/table.h"

#include <functional>

struct sqlite3;

namespace sla::sql {

// What all tables of one database share; outlives it.
struct Shared {
    Captures captures;
    GoOn go_on;
    // Receives each walk before it begins; false refuses it. May be empty.
    std::function<bool(const Table&, const Request&)> on_scan;
};

// SQLite's result code.
int add_tables(sqlite3* database, const Shared& shared);

// "CREATE TABLE events(tick INTEGER, ...)" as .schema shows it.
std::string schema_of(const Table& table);

}  // namespace sla::sql
