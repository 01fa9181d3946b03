#include "viewer/ingest/frame_item.h"

#include "proto/wire/batch_codec.h"
#include "proto/wire/batch_parser.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>

namespace sla::ingest {

FrameItem decode_frame(std::string_view serialized) {
    FrameItem item;
    item.bytes = serialized.size();
    thread_local wire::BatchParser parser;
    const wire::Batch* batch = parser.parse(serialized);
    if (batch == nullptr && !wire::parse_message(serialized, item.message)) {
        item.what = FrameItem::What::kDamage;
        item.damage = "a frame of " + std::to_string(serialized.size()) + " bytes is not a message; it was skipped";
        return item;
    }
    if (batch == nullptr && !item.message.has_batch()) return item;
    if (batch == nullptr) batch = &item.message.batch();
    const auto decoded = wire::decode_batch(*batch, item.batch);
    if (decoded.ok()) {
        item.what = FrameItem::What::kBatch;
    } else {
        item.what = FrameItem::What::kDamage;
        item.damage = "a batch of channel " + std::to_string(batch->channel()) + " with " + std::to_string(batch->count()) +
                      " events was skipped: " + decoded.error().message;
    }
    const std::size_t details = item.batch.details[0].size() + item.batch.details[1].size();
    item.bytes = std::max(item.bytes, item.batch.size() * wire::EventBatch::kRowBytes + details * sizeof(std::uint64_t) +
                                          item.batch.texts.memory_bytes() + item.batch.extras.size() * sizeof(wire::Extra));
    item.message.Clear();
    return item;
}

}  // namespace sla::ingest
