// The kernel's tracing file system: where it is, and reading and writing its small control files.
//
// Every control of a trace is a file; a refused write means "no permission" or "not in this kernel", and says which.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::linux {

// Where tracefs is mounted; mounts it at its usual place when nobody has and we may. The error says what to do.
Result<std::string> find_tracefs();

// Whole small file, without the last line end.
Result<std::string> read_control(const std::string& path);

// One write() of the whole text. Appends where the file takes commands line by line (dynamic_events).
enum class WriteMode { kReplace, kAppend };
Result<void> write_control(const std::string& path, const std::string& text, WriteMode mode = WriteMode::kReplace);

// "no permission: X ...", with what gives the permission; other errors in the system's words.
Error tracefs_refused(const std::string& what, int errno_value);

}  // namespace sla::linux
