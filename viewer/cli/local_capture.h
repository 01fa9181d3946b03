// A capture as a file that can be read anywhere: the file itself; "-", what is piped in; an address, what its agent holds or
// its fleet has now; an archive, the one capture that is in it. The last four are kept in a file without a name for as long as
// the process lives.
#pragma once

#include "proto/base/result.h"
#include "viewer/archive/archive_reader.h"
#include "viewer/ingest/open.h"
#include "viewer/ingest/stream_client.h"

#include <string>
#include <vector>

namespace sla::cli {

// The path to read. Other programs that this one starts may read it too.
Result<std::string> local_capture(const std::string& target);
// "-" and archives as a path; all else stays what it is.
Result<std::string> local_input(const std::string& target);

// What of an agent these options want, as a path: it may hold more than there is memory for. `name` is what people call it.
Result<std::string> kept_history(const wire::Address& address, const std::string& name, const ingest::LoadOptions& options);

// Rows of an archive's capture, those of that time at least, as a path; parts that are not there are warned of
// and reported.
Result<std::string> kept_archive(const archive::ArchivedCapture& capture, const formats::ParquetRange& range,
                                 std::vector<std::string>& missing);

// Of a file that could not be read as a capture: with what it looks like, and how `sla import` makes a capture of it.
Error with_import_advice(Error error, const std::string& path);

// Where a word may be something else: it looks like a capture or an address, or such a file is there.
bool names_capture(const std::string& word);

// What an agent holds, into a file, with a progress bar. An interrupt leaves nothing behind.
Result<void> save_with_progress(const ingest::StreamOptions& stream, const std::string& file);

// What people call a path: of those kept without a name "standard input" or the address.
std::string display_name(const std::string& path);
// The same wherever such paths stand in a text.
std::string with_display_names(std::string text);

}  // namespace sla::cli
