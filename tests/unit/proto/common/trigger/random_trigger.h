// Triggers and streams of events made up from a seed; times are small, so that things happen.
#pragma once

#include "proto/common/trigger/ast.h"
#include "tests/unit/proto/common/trigger/naive_trigger.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sla::trigger {

using Random = std::mt19937_64;

inline std::uint64_t below(Random& random, std::uint64_t n) {
    return random() % n;
}

std::vector<std::string> random_channel_names();
Condition random_condition(Random& random, int depth, bool in_levels);
Expression random_expression(Random& random);
Sequencer random_sequencer(Random& random);
// In the order (tick, channel, place); losses among them with and without an end.
std::vector<NaiveRow> random_rows(Random& random, std::size_t count);

}  // namespace sla::trigger
