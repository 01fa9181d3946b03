#include "proto/capture/newest_watermark.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>

namespace sla::capture {

std::uint64_t newest_watermark(ChunkReader& reader, std::span<const ChunkPlace> chunks) {
    constexpr std::size_t kMostChunks = 16;
    std::uint64_t tick = 0;
    wire::Frame frame;
    for (std::size_t looked_at = 0; tick == 0 && looked_at < std::min(chunks.size(), kMostChunks); ++looked_at) {
        if (!reader.load(chunks[chunks.size() - 1 - looked_at])) return 0;
        while (const auto bytes = reader.next()) {
            if (wire::parse_message(*bytes, frame) && frame.has_watermark())
                tick = std::max<std::uint64_t>(tick, frame.watermark().tick());
        }
    }
    return tick;
}

}  // namespace sla::capture
