// What limits found, as `sla check` writes it: a line for people, a row of its table.
#pragma once

#include "viewer/analysis/limits/verdict.h"
#include "viewer/cli/text/verdicts.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/small_table.h"

#include <set>
#include <string>
#include <vector>

namespace sla::cli {

// limit, channel, verdict, measured, error, unit, at_tick, at_ns, checked, broken, unknown, why, source
std::vector<std::string> finding_columns();

class FindingTexts {
public:
    // Must outlive this; its names do not change meanwhile.
    explicit FindingTexts(const store::Session& session);

    [[nodiscard]] std::vector<formats::Field> row(const analysis::Finding& finding) const;
    // "fail         LIMIT: CHANNEL 12.3 µs ± 16 ns at 1.5 ms (tick 2700); WHY" and the line's end.
    [[nodiscard]] std::string line(const analysis::Finding& finding) const;
    // "CHANNEL 12.3 µs ± 16 ns at 1.5 ms (tick 2700)"; "" when nothing was measured.
    [[nodiscard]] std::string text(const analysis::Finding& finding) const;
    // "CHANNEL", or "CHANNEL of SOURCE" where another channel has its name.
    [[nodiscard]] std::string channel(const analysis::Finding& finding) const;

    // Whose channel it is, of a pair "A's->B's" where they differ.
    [[nodiscard]] std::string source(const analysis::Finding& finding) const;

private:
    [[nodiscard]] bool has_namesake(ChannelId id) const;

    const store::Session& session_;
    formats::SourceTexts sources_;
    std::set<std::string> shared_;  // names of more than one channel
};

}  // namespace sla::cli
