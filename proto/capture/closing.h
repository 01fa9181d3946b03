// A capture file's two ends: the header that says what it is, the mark that says it was finished. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/file.h"
#include "proto/capture/file_format.h"

#include <optional>

namespace sla::capture {

// The version that the file header says; nothing when only the header is damaged and the rest may well be read. An error says
// what the file is instead: empty, no capture, of a newer version.
Result<std::optional<std::uint32_t>> check_file_header(const File& file);

std::optional<ClosingMark> read_closing_mark(const File& file);

}  // namespace sla::capture
