// The flame view: a track for each thread with the spans of all its channels, what lies within another below it.
//
//   main/4711   [ game.frame                    ][ game.frame      ]
//                  [physics]  [ draw          ]     [physics]
//                               [upload]
//
// Made of the lanes' pictures, so it costs what they cost, never waits for a file, and is as true as they are: of spans too
// narrow for a bar there is one for each pixel column, with their number.
#pragma once

#include "viewer/timeline/pictures/lane_picture.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sla::timeline {

struct FlameBar {
    float x0 = 0;
    float x1 = 0;
    std::uint16_t row = 0;    // 0: the outermost
    std::uint64_t count = 1;  // spans that begin here, too narrow to be told apart
    const store::Lane* lane = nullptr;
    std::uint64_t begin_index = 0;  // of the lane's event
    std::uint64_t begin_tick = 0;
    std::uint64_t end_tick = 0;     // kNever while open
    std::int64_t offset_ticks = 0;  // it is drawn so much later, as its lane is
    store::SpanState state = store::SpanState::kClosed;
};

struct FlameTrack {
    SourceId source;
    std::uint32_t thread = 0;
    std::uint16_t rows = 0;
    std::vector<FlameBar> bars;  // in the order in which they begin as drawn; the outer one of two that begin together first
};

struct Flame {
    std::vector<FlameTrack> tracks;  // by source and thread; those without a span in sight are not in it
    bool rough = false;              // rows that stay in a file were not looked at: narrow spans may stand nowhere
};

struct FlameLane {
    const store::Lane* lane = nullptr;
    std::uint64_t known_until = 0;  // where open spans end: at the newest tick known, or where its program did
    std::int64_t offset_ticks = 0;  // it is drawn so much later
};

// Of lanes without spans nothing is drawn.
Flame make_flame(std::span<const FlameLane> lanes, const Viewport& view);

}  // namespace sla::timeline
