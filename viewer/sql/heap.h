// SQLite's memory, counted by what the machine gives for it. Its own count leaves out that each small block comes in a larger
// one: the rows of a sort, of 20 to 30 bytes, took twice as much as was counted. Private to the room.
#pragma once

#include <cstdint>

namespace sla::sql {

// All engines of the process need so much at most, all in all. Any thread; what was set last counts.
void bound_heap(std::uint64_t bytes);

}  // namespace sla::sql
