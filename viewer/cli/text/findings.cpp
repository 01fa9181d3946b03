#include "viewer/cli/text/findings.h"

namespace sla::cli {

using analysis::Finding;

std::vector<std::string> finding_columns() {
    return {"limit", "channel", "verdict", "measured", "error", "unit",  "at_tick",
            "at_ns", "checked", "broken",  "unknown",  "why",   "source"};
}

FindingTexts::FindingTexts(const store::Session& session) : session_(session), sources_(session) {
    std::set<std::string> seen;
    for (const store::Lane* lane : session.lanes()) {
        if (!seen.insert(lane->channel().name).second) shared_.insert(lane->channel().name);
    }
}

bool FindingTexts::has_namesake(ChannelId id) const {
    const store::Lane* lane = session_.lane(id);
    return lane != nullptr && shared_.contains(lane->channel().name);
}

std::string FindingTexts::source(const Finding& finding) const {
    const auto text_of = [&](ChannelId id) {
        const store::Lane* lane = session_.lane(id);
        return lane == nullptr ? std::string() : sources_.of(*lane);
    };
    const std::string begin = text_of(finding.lane);
    const std::string end = text_of(finding.end);
    return end.empty() || end == begin ? begin : begin + "->" + end;
}

std::string FindingTexts::channel(const Finding& finding) const {
    if (!has_namesake(finding.lane) && !has_namesake(finding.end)) return finding.channel;
    return finding.channel + " of " + source(finding);
}

std::vector<formats::Field> FindingTexts::row(const Finding& finding) const {
    return {finding.limit,
            finding.channel,
            std::string(analysis::verdict_name(finding.verdict)),
            figure_field(finding, finding.measured),
            figure_field(finding, finding.error),
            unit_of(finding),
            tick_field(finding),
            time_field(finding, session_),
            finding.checked,
            finding.broken,
            finding.unknown,
            finding.why,
            source(finding)};
}

std::string FindingTexts::text(const Finding& finding) const {
    const std::string measured = measured_text(finding, session_);
    return measured.empty() || finding.channel.empty() ? measured : channel(finding) + " " + measured;
}

std::string FindingTexts::line(const Finding& finding) const {
    return line_of({finding.limit, finding.channel, finding.verdict, text(finding), finding.why});
}

}  // namespace sla::cli
