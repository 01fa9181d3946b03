#include "viewer/workspace/counters/section_look.h"

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

constexpr std::uint64_t kRowsAFrame = 200'000;

}  // namespace

SectionLook look_of(const counters::SectionTable& table, const std::string& section,
                    std::span<const counters::Event> events) {
    SectionLook out;
    for (counters::Row& row : table.rows()) {
        if (row.section == section && row.numbers.n > 0) out.rows.push_back(std::move(row));
    }
    std::uint64_t spans = 0;
    for (const counters::Event& event : events) spans = std::max(spans, table.total_of(section, event).n);
    out.totals.push_back(spans);
    for (const counters::Event& event : events) out.totals.push_back(table.total_of(section, event).sum);
    return out;
}

MarkedSectionWatch::MarkedSectionWatch(pid_t process, std::string section) : process_(process) {
    auto events = counters::marker_events_of(process);
    if (events.ok()) events_ = std::move(*events);
    if (!events.ok()) problem_ = events.error().message;
    const std::string empty = counters::empty_beside(section);
    lanes_.push_back({std::move(section), {}});
    if (!empty.empty()) lanes_.push_back({empty, {}});
}

// A lane that comes later is taken from its first row on, one that was there from where it stood.
void MarkedSectionWatch::take_lane(const store::Session& session, Lane& of) {
    for (const store::Lane* lane : session.lanes()) {
        const store::Source* source = session.source_of(*lane);
        if (lane->channel().name != of.name || source == nullptr || source->pid != static_cast<std::uint32_t>(process_))
            continue;
        if (!of.spans) of.spans.emplace(events_, first_ ? lane->size() : 0);
        of.spans->take(*lane, table_, kRowsAFrame);
        return;
    }
}

void MarkedSectionWatch::take(const store::Session& session) {
    if (!problem_.empty()) return;
    for (Lane& lane : lanes_) take_lane(session, lane);
    first_ = false;
}

SectionLook MarkedSectionWatch::look() const {
    SectionLook out = look_of(table_, lanes_.front().name, events_);
    out.problem = problem_;
    if (problem_.empty() && !first_ && !lanes_.front().spans)
        out.problem = "this program has no channel '" + lanes_.front().name + "' here yet";
    return out;
}

}  // namespace sla::workspace
