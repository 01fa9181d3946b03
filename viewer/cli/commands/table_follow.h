// `sla table --follow`: rows as they come.
#pragma once

#include "viewer/cli/command.h"
#include "viewer/cli/input.h"

namespace sla::cli {

// Of an input that was checked: until it is interrupted, nothing more comes, or --to is reached. The exit code.
int follow_table(const InputOptions& input, const OutputOptions& output, formats::Format format);

}  // namespace sla::cli
