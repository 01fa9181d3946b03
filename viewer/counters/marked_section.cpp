#include "viewer/counters/marked_section.h"

#include "proto/base/whole_file.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::counters {

namespace {

// What markers read when nobody set them.
constexpr std::string_view kUsualPair = "cycles,instructions";

// Of a word as agent/marker/counter.c takes it: no world before it.
std::optional<Event> event_for_markers(std::string_view word) {
    const auto events = parse_events(word, World::kHost);
    const bool is_one = events.ok() && events->size() == 1 && word.find(':') == std::string_view::npos;
    return is_one && is_read_by_markers(events->front()) ? std::optional(events->front()) : std::nullopt;
}

}  // namespace

bool is_read_by_markers(const Event& event) {
    constexpr std::array kReadInPrograms{"cycles",      "instructions",  "cache-references", "cache-misses",
                                         "branches",    "branch-misses", "ref-cycles",       "task-clock",
                                         "page-faults", "minor-faults",  "major-faults",     "context-switches"};
    return event.world == World::kHost &&
           (std::find(kReadInPrograms.begin(), kReadInPrograms.end(), event.word) != kReadInPrograms.end() ||
            event.is_raw());
}

Result<std::vector<Event>> marker_events_in(std::string_view environment) {
    constexpr std::string_view kName = "SLA_COUNTERS=";
    std::string_view listed = kUsualPair;
    while (!environment.empty()) {
        const std::string_view one = environment.substr(0, environment.find('\0'));
        if (one.starts_with(kName)) listed = one.substr(kName.size());
        environment.remove_prefix(std::min(one.size() + 1, environment.size()));
    }
    if (listed.empty()) listed = kUsualPair;
    const std::size_t comma = std::min(listed.find(','), listed.size() - 1);
    const auto first = event_for_markers(listed.substr(0, comma));
    const auto second = event_for_markers(listed.substr(comma + 1));
    if (!first || !second)
        return invalid_input("this program was told to count SLA_COUNTERS=" + std::string(listed) +
                             ", which are no two events that markers read");
    return std::vector<Event>{*first, *second};
}

Result<std::vector<Event>> marker_events_of(pid_t process) {
    const Result<std::string> text = read_whole_file("/proc/" + std::to_string(process) + "/environ");
    if (!text) {
        return unavailable("what process " + std::to_string(process) +
                           " was told to count (SLA_COUNTERS in its environment) is closed to this user");
    }
    return marker_events_in(*text);
}

void MarkedSection::take(const store::Lane& lane, SectionTable& table, std::uint64_t most_rows) {
    if (lane_ != nullptr && lane_ != &lane) next_ = lane.upper_bound(last_tick_);
    lane_ = &lane;
    const std::uint64_t until = std::min(lane.size(), next_ + std::min(most_rows, lane.size()));
    for (; next_ < until; ++next_) take_row(lane, next_, table);
    if (next_ > 0 && next_ <= lane.size()) last_tick_ = lane.tick(next_ - 1);
    note_missed(std::exchange(unknown_, 0), "without counters at both ends, or lost", table);
}

void MarkedSection::finish(SectionTable& table) {
    std::uint64_t open = 0;
    for (const auto& [thread, begins] : open_) open += begins.size();
    note_missed(open, "had not ended", table);
}

void MarkedSection::note_missed(std::uint64_t spans, const char* why, SectionTable& table) const {
    for (const Event& event : pair_) {
        if (lane_ != nullptr) table.missed(lane_->channel().name, event, spans, why);
    }
}

void MarkedSection::take_row(const store::Lane& lane, std::uint64_t row, SectionTable& table) {
    const auto counters_at = [&]() -> Counters {
        const auto code = lane[row].code;
        if (code != SLA_CODE_BEGIN_VALUE && code != SLA_CODE_END_VALUE) return std::nullopt;
        return {{lane[row].value, lane.details(row)[0]}};
    };
    const wire::Kind kind = lane[row].kind();
    if (kind == wire::Kind::kGap) return take_loss(lane, row);
    const std::uint32_t thread = lane.thread(row);
    auto& begins = open_[thread];
    if (kind == wire::Kind::kBegin) {
        begins.push_back(is_in_loss(thread, lane.tick(row)) ? std::nullopt : counters_at());
    } else if (kind == wire::Kind::kEnd && !begins.empty()) {
        const Counters before = begins.back();
        const Counters after = counters_at();
        begins.pop_back();
        if (!before || !after) {
            ++unknown_;
            return;
        }
        for (std::size_t i = 0; i < pair_.size(); ++i) table.add(lane.channel().name, pair_[i], (*after)[i] - (*before)[i]);
    }
}

// What was open may have ended in it, and so may what begins before it is over.
void MarkedSection::take_loss(const store::Lane& lane, std::uint64_t row) {
    const std::uint32_t of = lane.thread(row);
    for (auto& [thread, begins] : open_) {
        if (of != 0 && of != thread) continue;
        unknown_ += begins.size();
        begins.clear();
    }
    std::uint64_t& until = lost_until_[of];
    until = std::max(until, lane.loss_until(row, lane.tick(row)));
}

bool MarkedSection::is_in_loss(std::uint32_t thread, std::uint64_t tick) const {
    const auto lasts = [&](std::uint32_t of) {
        const auto loss = lost_until_.find(of);
        return loss != lost_until_.end() && tick < loss->second;
    };
    return lasts(thread) || lasts(0);
}

}  // namespace sla::counters
