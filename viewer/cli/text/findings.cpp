#include "viewer/cli/text/findings.h"

namespace sla::cli {

using analysis::Finding;

std::vector<std::string> finding_columns() {
    return {"limit",   "channel", "verdict", "measured", "error",   "unit",
            "at_tick", "at_ns",   "checked", "broken",   "unknown", "why"};
}

std::vector<formats::Field> finding_row(const Finding& finding, const store::Session& session) {
    return {finding.limit,
            finding.channel,
            std::string(analysis::verdict_name(finding.verdict)),
            figure_field(finding, finding.measured),
            figure_field(finding, finding.error),
            unit_of(finding),
            tick_field(finding),
            time_field(finding, session),
            finding.checked,
            finding.broken,
            finding.unknown,
            finding.why};
}

std::string finding_text(const Finding& finding, const store::Session& session) {
    const std::string measured = measured_text(finding, session);
    return measured.empty() || finding.channel.empty() ? measured : finding.channel + " " + measured;
}

std::string finding_line(const Finding& finding, const store::Session& session) {
    return line_of({finding.limit, finding.channel, finding.verdict, finding_text(finding, session), finding.why});
}

}  // namespace sla::cli
