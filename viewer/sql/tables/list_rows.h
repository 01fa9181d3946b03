// The rows of the tables that are short lists, made of a capture's names and figures. Private to the room.
#pragma once

#include "viewer/sql/tables/table.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sla::sql {

// A natural number of the stream, an integer, a real, a time in ps that is shown in ns, a text; nothing.
struct Nanoseconds {
    std::int64_t ps = 0;
};
using ListField = std::variant<std::monostate, std::uint64_t, std::int64_t, double, Nanoseconds, std::string>;
using ListRow = std::vector<ListField>;
// Fills in all columns but the last, which is the capture's name.
using MakeRows = void (*)(const NamedCapture& capture, std::vector<ListRow>& rows);

void make_captures(const NamedCapture& capture, std::vector<ListRow>& rows);
void make_channels(const NamedCapture& capture, std::vector<ListRow>& rows);
void make_sources(const NamedCapture& capture, std::vector<ListRow>& rows);
void make_threads(const NamedCapture& capture, std::vector<ListRow>& rows);
void make_clocks(const NamedCapture& capture, std::vector<ListRow>& rows);
void make_shots(const NamedCapture& capture, std::vector<ListRow>& rows);

}  // namespace sla::sql
