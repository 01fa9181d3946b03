#include "viewer/archive/settled.h"

#include "proto/capture/pieces/repeated_names.h"
#include "proto/wire/capture.pb.h"

#include <algorithm>

namespace sla::archive {

namespace {

// A piece's End is but a watermark: rows of other channels may come in the next piece.
void look_at_end(const wire::Frame& frame, Settled& out) {
    if (!frame.has_end()) return;
    const bool goes_on = capture::says_goes_on(frame.end().reason());
    if (goes_on) out.tick = std::max<std::uint64_t>(out.tick, frame.end().tick());
    out.ended = out.ended || !goes_on;
}

// Of the loaded chunk.
void look_through(capture::ChunkReader& chunks, Settled& out) {
    wire::Frame frame;
    while (const auto bytes = chunks.next()) {
        if (!frame.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) continue;
        if (frame.has_watermark()) out.tick = std::max<std::uint64_t>(out.tick, frame.watermark().tick());
        look_at_end(frame, out);
    }
}

// What the index repeats of chunks that cannot be read.
void look_through(const capture::CaptureIndex& index, Settled& out) {
    wire::Frame frame;
    for (const std::string& bytes : index.lasting()) {
        if (frame.ParseFromString(bytes)) look_at_end(frame, out);
    }
}

}  // namespace

// An agent that was killed wrote its last entry before its end. What it left is published by the host's next one, which says
// when it is done: in an entry that is younger than itself.
bool is_over(const fleet::RunEntry& run, const std::vector<fleet::RunEntry>& runs) {
    if (run.left != 0 || run.ended_ns != 0) return run.left == 0;
    return std::any_of(runs.begin(), runs.end(), [&](const fleet::RunEntry& other) {
        return other.host == run.host && other.started_ns > run.started_ns && run.seen_ns >= other.started_ns;
    });
}

Result<Settled> settled(const capture::CaptureStore& store, const capture::CaptureIndex& index) {
    auto chunks = store.open_chunks();
    if (!chunks.ok()) return chunks.error();
    Settled out;
    for (const capture::Damage& damage : index.damage()) out.is_damaged = out.is_damaged || !damage.harmless;
    for (auto place = index.chunks().rbegin(); place != index.chunks().rend() && out.tick == 0 && !out.ended; ++place) {
        if (auto loaded = chunks->load(*place); loaded.ok()) {
            look_through(*chunks, out);
        } else if (chunks->is_elsewhere()) {
            return loaded.error();  // it may come yet
        } else {
            out.is_damaged = true;
        }
    }
    if (!chunks->is_elsewhere() && !out.ended) look_through(index, out);
    return out;
}

}  // namespace sla::archive
