// `sla-emu run`: one guest from power-on to its end.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <string>

namespace sla::emu {

struct RunOptions {
    std::string image;             // file
    bool demo = false;             // the built-in demonstration guest, instead of an image
    std::uint32_t demo_ticks = 0;  // 0: for ever
    std::string cpu = "unicorn";
    std::string clock = "host";      // or "virtual"
    std::string time_limit;          // a duration; empty: none
    std::string debug_output = "-";  // file; "-": standard output
};

// Gives the program's exit code. SIGINT and SIGTERM end the run.
Result<int> run(const RunOptions& options);

}  // namespace sla::emu
