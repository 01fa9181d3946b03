// What is set of a channel, in words.
#pragma once

#include "viewer/store/names.h"

#include <string>

namespace sla::cli {

// "off", "value > 100", "kept 12.3 s of 30 s: memory full"; empty: everything is recorded and kept as asked.
// `now_tick` and the rate turn the oldest tick held into a length.
std::string channel_state(const store::Ledger& ledger, std::uint64_t now_tick, double ticks_per_second);

}  // namespace sla::cli
