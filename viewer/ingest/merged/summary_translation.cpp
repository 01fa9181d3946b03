#include "viewer/ingest/merged/summary_translation.h"

#include <algorithm>
#include <cmath>

namespace sla::ingest {
namespace {

// Of one row's tick by rounding, and of a map that is not straight.
constexpr double kMaxBend = 1e-6;

// A sum of `ticks` over `rows` in an interval that was `length` long and is `moved` now.
std::uint64_t scaled(std::uint64_t ticks, std::uint64_t rows, std::uint64_t length, std::uint64_t moved) {
    if (ticks == 0 || length == 0) return 0;
    const double share = static_cast<double>(ticks) / static_cast<double>(length);
    const double most = std::ceil(share * static_cast<double>(moved) * (1 + kMaxBend)) + static_cast<double>(rows) + 1;
    return most >= static_cast<double>(moved) ? moved : static_cast<std::uint64_t>(most);
}

void translate(const StreamTranslation& by, capture::LaneSummary& one) {
    one.channel.value = by.id(NamedThing::kChannel, one.channel.value);
    if (by.clock().same_clock()) return;
    const std::uint64_t length = one.last_tick - std::min(one.first_tick, one.last_tick);
    one.first_tick = by.clock().to_reference(one.first_tick);
    one.last_tick = std::max(one.first_tick, by.clock().to_reference(one.last_tick));
    const std::uint64_t moved = one.last_tick - one.first_tick;
    one.longest_pause = scaled(one.longest_pause, 1, length, moved);
    one.high_ticks = scaled(one.high_ticks, one.rows, length, moved);
    one.busy_ticks = scaled(one.busy_ticks, one.rows, length, moved);
}

void translate(const StreamTranslation& by, capture::OpenSpan& span) {
    span.channel.value = by.id(NamedThing::kChannel, span.channel.value);
    span.thread = by.id(NamedThing::kThread, span.thread);
    span.begin_tick = by.clock().to_reference(span.begin_tick);
}

void translate(const StreamTranslation& by, capture::CrossedSpan& span) {
    translate(by, span.span);
    span.end_tick = by.clock().to_reference(span.end_tick);
}

void translate(const StreamTranslation& by, capture::GapRow& gap) {
    gap.channel.value = by.id(NamedThing::kChannel, gap.channel.value);
    gap.thread = by.id(NamedThing::kThread, gap.thread);
    gap.tick = by.clock().to_reference(gap.tick);
    gap.until_tick = by.tick(gap.until_tick);
}

template <typename T>
void translate_all(const StreamTranslation& by, std::vector<T>& all) {
    for (T& one : all) translate(by, one);
}

}  // namespace

void translate(const StreamTranslation& by, capture::CaptureIndex::Lane& lane) {
    lane.channel.value = by.id(NamedThing::kChannel, lane.channel.value);
    for (std::size_t i = 0; i < lane.summaries.size(); ++i) {
        capture::LaneSummary one = lane.summaries[i];
        translate(by, one);
        lane.summaries.set(i, one);
    }
    translate_all(by, lane.crossed);
    translate_all(by, lane.gaps);
}

void translate(const StreamTranslation& by, capture::ChunkDetail& detail) {
    translate_all(by, detail.lanes);
    translate_all(by, detail.cells);
    translate_all(by, detail.open);
    translate_all(by, detail.crossed);
    translate_all(by, detail.gaps);
    if (!by.clock().same_clock()) detail.intervals.clear();
    for (capture::LaneIntervals& one : detail.intervals) one.channel.value = by.id(NamedThing::kChannel, one.channel.value);
}

}  // namespace sla::ingest
