// Tables as csv or tsv: our own, any with a time and a channel column, or bare time,channel,value.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"

#include <istream>

namespace sla::formats {

// Everything into the sink, but does not finish it.
Result<void> import_csv(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress = {});

}  // namespace sla::formats
