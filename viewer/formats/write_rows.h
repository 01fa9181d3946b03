// A walk's rows into a buffer, and its pieces into an output: what all exports do that write one file in order.
#pragma once

#include "viewer/analysis/event_walk.h"
#include "viewer/formats/output.h"

namespace sla::formats {

// `write()` puts a row into the buffer; false: there is none left.
template <typename Buffer, typename Write>
Result<void> write_rows(const analysis::EventWalk& walk, Write write, Buffer& buffer, Output& output) {
    while (!output.is_closed() && write()) {
        if (buffer.size() < Output::kPiece) continue;
        if (auto written = output.take(buffer); !written.ok()) return written;
    }
    return walk.stopped() ? Result<void>(unavailable("stopped; nothing was written")) : Result<void>();
}

}  // namespace sla::formats
