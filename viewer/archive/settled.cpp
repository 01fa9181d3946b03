#include "viewer/archive/settled.h"

#include "proto/wire/capture.pb.h"

#include <algorithm>

namespace sla::archive {

namespace {

// Of the loaded chunk.
void look_through(capture::ChunkReader& chunks, Settled& out) {
    wire::Frame frame;
    while (const auto bytes = chunks.next()) {
        if (!frame.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) continue;
        if (frame.has_watermark()) out.tick = std::max<std::uint64_t>(out.tick, frame.watermark().tick());
        out.ended = out.ended || frame.has_end();
    }
}

}  // namespace

Result<Settled> settled(const capture::CaptureStore& store) {
    const auto index = store.index({});
    if (!index.ok()) return index.error();
    auto chunks = store.open_chunks();
    if (!chunks.ok()) return chunks.error();
    Settled out;
    for (const capture::Damage& damage : index->damage()) out.is_damaged = out.is_damaged || !damage.harmless;
    for (auto place = index->chunks().rbegin(); place != index->chunks().rend() && out.tick == 0 && !out.ended; ++place) {
        if (auto loaded = chunks->load(*place); !loaded.ok()) return loaded.error();
        look_through(*chunks, out);
    }
    return out;
}

}  // namespace sla::archive
