// What an event is in a Perfetto trace, both ways: its kind, value and text. Private to the format.
#pragma once

#include "viewer/analysis/event_walk.h"
#include "viewer/formats/capture_sink.h"
#include "viewer/formats/perfetto/perfetto.pb.h"

#include <string>

namespace sla::formats {

// `scratch`: what it may write its text into.
void fill_track_event(const store::RowRef& place, const store::Event& event, std::string& scratch,
                      sla::perfetto::TrackEvent& body);

// Code, value and text; false: it is of no kind that is known.
bool read_track_event(const sla::perfetto::TrackEvent& event, SinkEvent& out, wire::RowExtra& extra);

}  // namespace sla::formats
