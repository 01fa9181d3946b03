#include "emu/history/course.h"

#include <algorithm>

namespace sla::history {

void Course::take(tap::ChannelId channel, sla_code code, std::uint64_t value) {
    const bool begins = code == SLA_CODE_BEGIN || code == SLA_CODE_BEGIN_VALUE;
    const bool ends = code == SLA_CODE_END || code == SLA_CODE_END_VALUE;
    if (!begins && !ends && code != SLA_CODE_LEVEL) return;
    if (channel >= lanes_.size()) lanes_.resize(channel + 1);
    Lane& lane = lanes_[channel];
    if (begins) {
        if (lane.open.size() == kMostOpen) lane.open.erase(lane.open.begin());
        lane.open.push_back({lane.begins++, value});
    } else if (ends) {
        if (!lane.open.empty()) lane.open.pop_back();
    } else {
        lane.level = value;
    }
}

void Course::turn_to(const Course& other, tap::Sink& lanes) const {
    const Lane none;
    for (std::size_t i = 0; i < std::max(lanes_.size(), other.lanes_.size()); ++i) {
        turn_lane(static_cast<tap::ChannelId>(i), i < lanes_.size() ? lanes_[i] : none,
                  i < other.lanes_.size() ? other.lanes_[i] : none, lanes);
    }
}

// A begin with the same number is the same one: up to where they part both courses are one.
void Course::turn_lane(tap::ChannelId channel, const Lane& from, const Lane& to, tap::Sink& lanes) {
    std::size_t same = 0;
    while (same < std::min(from.open.size(), to.open.size()) && from.open[same].number == to.open[same].number) ++same;
    for (std::size_t i = from.open.size(); i > same; --i) lanes.plain(channel, SLA_CODE_END, 0);
    for (std::size_t i = same; i < to.open.size(); ++i) lanes.plain(channel, SLA_CODE_BEGIN_VALUE, to.open[i].value);
    if (to.level && from.level != to.level) lanes.plain(channel, SLA_CODE_LEVEL, *to.level);
}

}  // namespace sla::history
