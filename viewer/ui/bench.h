// How fast the window is on a capture, measured without a display: `sla-viewer --headless --bench CAPTURE`.
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::ui {

struct BenchOptions {
    std::string target;
    int width = 1920;
    int height = 1080;
    int frames = 900;  // of the tour, one each 1/60 s
};

// Opens the capture, then zooms and pans through it at random (always the same way), and prints the time to the first paint,
// the CPU time to compute and build a frame (p50, p99, max), and the memory used. Drawing the frame's triangles is the
// graphics card's work and not in the figures.
Result<void> run_bench(const BenchOptions& options);

}  // namespace sla::ui
