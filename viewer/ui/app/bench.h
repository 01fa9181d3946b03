// How fast the window is on a capture or live, measured without a display: `sla-viewer --headless --bench CAPTURE|ADDRESS`.
#pragma once

#include "proto/base/result.h"
#include "viewer/workspace/settings.h"

#include <string>

namespace sla::ui {

struct BenchOptions {
    std::string target;
    workspace::Settings settings;  // memory for live rows
    int width = 1920;
    int height = 1080;
    int frames = 900;  // of the tour, one each 1/60 s
};

// Opens the capture, then zooms and pans through it at random (always the same way), and prints the time to the first
// paint, the CPU time to compute and build a frame (p50, p99, max), and the memory used. Drawing the frame's triangles
// is the graphics card's work and not in the figures. Of an agent: the first half of the frames follows the newest, the
// second is the tour, the latter half of each with statistics, pairs, a search and an export running; the rows received
// and lost, and the memory they take, are reported too.
Result<void> run_bench(const BenchOptions& options);

}  // namespace sla::ui
