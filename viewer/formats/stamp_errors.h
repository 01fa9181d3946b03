// What makes most of the ± of a short time: what a stamp costs, and how far the counters of two cores may be apart. One word that
// files of other formats carry from a capture to the next:
//
//   20,130,synchronized      ticks of a stamp; ticks between cores, which are not known to be apart (else: apart)
//   20,-                     the cores were not compared
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/store/session.h"

#include <string>
#include <string_view>

namespace sla::formats {

std::string stamp_errors_text(const store::Session& session);
// Into the clock. What is no such word, or none, leaves it as it is: files of before have none.
void read_stamp_errors(std::string_view text, SinkClock& clock);

}  // namespace sla::formats
