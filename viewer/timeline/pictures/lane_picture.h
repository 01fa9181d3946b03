// What a lane looks like in one view: marks with pixel positions, ready to be painted, no graphics library needed.
//
// Every mark is true: a mark for several events says how many; what is not known (a level before its first event or after a
// loss, an end that a loss swallowed) has its own look. Computing a picture costs pixel columns times log(events).
// x runs from the left edge of the view and may lie outside it for marks that only touch it.
#pragma once

#include "viewer/store/lane.h"
#include "viewer/timeline/viewport.h"

#include <cstdint>
#include <vector>

namespace sla::timeline {

// Instants in one pixel column: ticks, unmatched ends, texts.
struct TickMark {
    float x = 0;
    std::uint64_t index = 0;  // the first of them
    std::uint64_t count = 1;
};

// A level that holds from x0 to x1; `edge` when it begins with a change inside the view.
struct LevelMark {
    float x0 = 0;
    float x1 = 0;
    store::Level level = store::Level::kUnknown;
    bool edge = false;
};

// A pixel column with several changes.
struct BusyLevel {
    float x = 0;
    float high_share = 0;  // 0 to 1
    std::uint64_t count = 0;
};

// A span at least two pixels wide.
struct SpanBar {
    float x0 = 0;
    float x1 = 0;
    std::uint16_t row = 0;
    std::size_t span = 0;
    store::SpanState state = store::SpanState::kClosed;
    std::uint64_t begin_index = 0;  // of the lane's event
    std::uint64_t begin_tick = 0;
    std::uint64_t end_tick = 0;
    std::uint32_t thread = 0;
};

// Narrower spans that begin in one pixel column.
struct SpanSliver {
    float x = 0;
    std::uint16_t row = 0;
    std::uint64_t count = 1;
    std::size_t span = 0;  // the first of them
    // The same one's, where rows were looked at; end_tick 0: they were not.
    std::uint32_t thread = 0;
    std::uint64_t begin_index = 0;
    std::uint64_t begin_tick = 0;
    std::uint64_t end_tick = 0;
};

// One point of the step line: the value holds from x on. A band when several values share the column. What is no number is a
// hole: a step of its own with that value, behind the numbers of its column.
struct ValueStep {
    float x = 0;
    double value = 0;  // the last number; infinite, or NaN where the hole begins
    double min = 0;    // of the finite ones; NaN without any
    double max = 0;
    std::uint64_t count = 1;
    bool has_above = false;  // +infinity is among them
    bool has_below = false;  // -infinity
};

struct TextFlag {
    float x = 0;
    std::uint64_t index = 0;
    std::uint64_t count = 1;  // texts of this column
};

// Gaps that lie close together. What was lost and what was not kept share a band only where they are too narrow to be told
// apart; it then counts as lost.
struct GapBand {
    float x0 = 0;
    float x1 = 0;
    bool not_kept = false;
    std::uint64_t lost = 0;
    std::uint64_t gaps = 1;
    std::uint64_t index = 0;  // the lane's event of the first
};

// No loss in it is of an unknown number. Goes over its losses where the lane has such ones.
bool is_counted(const store::Lane& lane, const GapBand& band);

struct LanePicture {
    std::vector<TickMark> ticks;
    std::vector<LevelMark> levels;
    std::vector<BusyLevel> busy_levels;
    std::vector<SpanBar> bars;
    std::vector<SpanSliver> slivers;
    std::vector<ValueStep> values;
    double value_min = 0;  // what the lane's height stands for: finite
    double value_max = 0;
    bool has_above = false;  // some values are +infinity, -infinity
    bool has_below = false;
    std::vector<TextFlag> texts;
    std::vector<GapBand> gaps;
    // Some rows stay in a file and are not here: marks are drawn from sums over some thousand rows each. Every column with
    // an event has a mark, but counts are shared out evenly and a mark may stand for a pause. Losses are exact all the same.
    bool rough = false;

    void clear();
};

// value_min to has_below, of all values.
void fit_value_scale(LanePicture& out);

// Replaces the gaps of `out`.
void picture_losses(const store::Lane& lane, const Viewport& view, LanePicture& out);

// Replaces `out`. Never waits for a file: where rows are not here it is rough, and they are fetched if they are few enough.
// `now` is the newest tick known: levels and open spans end there.
void picture_lane(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out);
// The same, exact whatever it costs: waits for rows that are not here.
void picture_lane_exactly(const store::Lane& lane, const Viewport& view, std::uint64_t now, LanePicture& out);

}  // namespace sla::timeline
