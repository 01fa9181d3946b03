// What limits found, as `sla check` writes it: a line for people, a row of its table.
#pragma once

#include "viewer/analysis/limits/verdict.h"
#include "viewer/cli/text/verdicts.h"
#include "viewer/formats/table/small_table.h"

#include <string>
#include <vector>

namespace sla::cli {

// limit, channel, verdict, measured, error, unit, at_tick, at_ns, checked, broken, unknown, why
std::vector<std::string> finding_columns();
std::vector<formats::Field> finding_row(const analysis::Finding& finding, const store::Session& session);
// "fail         LIMIT: CHANNEL 12.3 µs ± 16 ns at 1.5 ms (tick 2700); WHY" and the line's end.
std::string finding_line(const analysis::Finding& finding, const store::Session& session);
// "CHANNEL 12.3 µs ± 16 ns at 1.5 ms (tick 2700)"; "" when nothing was measured.
std::string finding_text(const analysis::Finding& finding, const store::Session& session);

}  // namespace sla::cli
