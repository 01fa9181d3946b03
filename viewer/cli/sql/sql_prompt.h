// The prompt of `sla sql -i`: lines with history on a terminal, plain lines from a pipe; questions end with ';'.
#pragma once

#include "viewer/formats/table/format.h"
#include "viewer/sql/engine.h"

#include <string>
#include <string_view>

namespace sla::cli {

// ".schema", ".schema events", ".tables", ".help"
bool is_dot_command(std::string_view line);
// Those that need no capture, into this file or to standard output ("", "-"); its exit code.
int run_dot_command(std::string_view line, const std::string& path);

// Until the end of input or .quit. From a pipe, the exit code of the last question that failed; on a terminal 0.
int run_sql_prompt(sql::Engine& engine, formats::Format format);

}  // namespace sla::cli
