// The index chunks of a finished file, followed from the last one back. Private to the room.
#pragma once

#include "proto/capture/file.h"
#include "proto/capture/file_format.h"
#include "proto/capture/index_assembler.h"

namespace sla::capture {

// False when some link of the chain is damaged or does not make sense; the assembler is then of no use.
bool read_index_chain(const File& file, const ClosingMark& mark, IndexAssembler& assembler);

}  // namespace sla::capture
