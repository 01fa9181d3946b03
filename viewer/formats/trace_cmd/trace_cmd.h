// What trace-cmd makes: the text that `trace-cmd report` prints, and trace.dat, the file that it records into.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"

#include <string>
#include <string_view>

namespace sla::formats {

// Everything into the sink, but does not finish it.
Result<void> import_trace_cmd(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

// The same of a trace.dat: trace-cmd itself (Debian's package) says what is in it, in a process of its own. The library
// that reads these files, libtracecmd, does not survive all that are damaged; what that takes with it so is not ours.
Result<void> import_trace_dat(const std::string& path, CaptureSink& sink, Notes& notes, const Progress& progress = {});

// Whether a file that begins so is one.
bool is_trace_dat(std::string_view head);

}  // namespace sla::formats
