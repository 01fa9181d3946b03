// The event table's rows by a RowWriter, which any form of it has: one by one, as they come, or block by block. Private to the
// room.
#pragma once

#include "viewer/formats/table/rows/row_block.h"
#include "viewer/formats/table/rows/row_writer.h"
#include "viewer/formats/table/rows/table_rows.h"

#include <memory>

namespace sla::formats {

// Of rows that are followed more sources may come, and one that has been written keeps its name.
enum class Sources { kAllKnown, kMoreMayCome };

// `extra` may be null.
std::unique_ptr<TableRows> make_column_rows(const store::Session& session, std::unique_ptr<RowWriter> writer,
                                            const ExtraColumns* extra, Sources sources);
// Of a form whose rows do not know of those before.
std::unique_ptr<BlockFormat> make_column_blocks(const time::ClockMap& clock, std::unique_ptr<RowWriter> writer);

}  // namespace sla::formats
