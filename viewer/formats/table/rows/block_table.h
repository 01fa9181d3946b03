// The event table without further columns, made a block at a time. Private to the room.
#pragma once

#include "viewer/formats/table/table.h"

#include <cstddef>

namespace sla::formats {

// As write_table(), which takes as many threads as are worth it: so many beside the caller's make text.
Result<std::uint64_t> write_block_table(const store::Session& session, const analysis::Selection& selection, Format format,
                                        Output& output, const Progress& progress, std::size_t threads);

}  // namespace sla::formats
