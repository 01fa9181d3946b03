// A walk's rows into a buffer, and its pieces into an output: what all exports do that write one file in order.
#pragma once

#include "viewer/analysis/event_walk.h"
#include "viewer/formats/output.h"

#include <cstdint>

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

// Every event of the walk by `writer`, which has put_head() and put(place, event, buffer) besides. Of a page that cannot be read the walk
// has one row with the number of all that is lost there; the lane has one for each event.
template <typename Writer, typename Buffer>
Result<void> write_events(Writer& writer, analysis::EventWalk& walk, Buffer& buffer, Output& output, std::uint64_t& events) {
    writer.put_head(buffer);
    const auto write = [&] {
        const auto place = walk.next();
        if (!place) return false;
        writer.put(*place, walk.event(), buffer);
        ++events;
        return true;
    };
    return write_rows(walk, write, buffer, output);
}

}  // namespace sla::formats
