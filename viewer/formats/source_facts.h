// What only captures know of the sources of events: a program's or a PC's, on which clock, and what an empty section costs there.
// One word that files of other formats carry from a capture to the next, a source after the other:
//
//   pc:1:0:4711:emulated%20PC,program:0:31:812:game    kind, clock domain, ticks of an empty section, process, name (percent_coded)
//
// Empty where nothing is to be said: all are programs on the host's clock, of unknown cost.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/store/session.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::formats {

// Those of the lanes, by the names that source_text gives them.
std::string source_facts_text(const store::Session& session, const std::vector<const store::Lane*>& lanes);
// What is no such word, or a part that is none, is left out: files of before have none. Before the first event. `scale`: ticks of
// the sink to one of the capture.
void read_source_facts(std::string_view text, CaptureSink& sink, double scale = 1);

// What costs something still does.
std::uint32_t scaled_ticks(std::uint32_t ticks, double scale);

}  // namespace sla::formats
