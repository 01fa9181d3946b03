// What only captures know of the sources of events: a program's or a PC's, on which clock, what an empty section costs there,
// by which command it was started, and whether it still went on when the capture ended; and from where to where the capture is
// known, silence at its ends too.
// One word that files of other formats carry from a capture to the next, a source after the other:
//
//   pc:1:0:4711:emulated%20PC,program+:0:31:812:game    kind, `+`: it went on; clock domain, ticks of an empty section, process,
//                                                       name (percent_coded)
//   command:4711:emulated%20PC:sla-emu%20run            process, name, command, of one that stands there too
//   known::8400000000000                                from, to: picoseconds since the capture's start, which is "" for from
//
//   damage:8400000000000:not%20finished                 picoseconds ("": at no moment), what was wrong with it: more
//                                                       may be missing
//
// Empty where nothing is to be said: all are programs on the host's clock, of unknown cost, that have ended, and the capture ends
// with its last event.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/capture_sink.h"
#include "viewer/store/session.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats {

class SourceTexts;

// Those of the selection's lanes, by the names that source_text gives them, and its range as far as it is known.
std::string source_facts_text(const store::Session& session, const analysis::Selection& selection);
// By the names that `names` gives them.
std::string source_facts_text(const store::Session& session, const analysis::Selection& selection, const SourceTexts& names);
// Where a part begins to count: its rows count anew, so that by their numbers it is not seen that there were others before them.
// 0: nothing is known to be before it.
std::uint64_t begin_of_part(const store::Session& session, const analysis::Selection& selection);
// Which have events behind a range: they had not ended yet where it ends.
std::set<SourceId> sources_behind(const store::Session& session, std::uint64_t until);
// A part of a capture ends where the next one begins: only the sources.
std::string source_facts_text(const store::Session& session, const std::vector<const store::Lane*>& lanes);
// What is no such word, or a part that is none, is left out: files of before have none. Before the first event. `scale`: ticks of
// the sink to one of the capture.
void read_source_facts(std::string_view text, CaptureSink& sink, double scale = 1);

// What costs something still does.
std::uint32_t scaled_ticks(std::uint32_t ticks, double scale);

}  // namespace sla::formats
