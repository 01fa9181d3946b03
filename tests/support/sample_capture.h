// Scenes for pictures and window tests: what people would really look at.
#pragma once

#include "tests/support/capture_builder.h"

namespace sla::support {

// 100 ms of a pipeline of three threads (read, compress, write) beside an emulated PC with a timer, port I/O and halts;
// nested spans, levels, values, texts and losses. Made for 2.7 GHz. Same picture every time.
void add_bench_scene(CaptureBuilder& capture);
// Three channels: ticks, spans, a level.
void add_few(CaptureBuilder& capture);

}  // namespace sla::support
