// `sla-emu run`: one guest from power-on to its end.
#pragma once

#include "emu/run_options.h"
#include "proto/base/result.h"

namespace sla::emu {

// Gives the program's exit code. SIGINT and SIGTERM end the run.
Result<int> run(const RunOptions& options);

}  // namespace sla::emu
