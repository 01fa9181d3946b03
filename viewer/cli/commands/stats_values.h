// sla stats --values: the numbers that events carry, instead of the times between them.
#pragma once

#include "viewer/cli/command.h"
#include "viewer/cli/input.h"

namespace sla::cli {

int run_value_stats(const InputOptions& input, const OutputOptions& output);

}  // namespace sla::cli
