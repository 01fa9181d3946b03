// One frame of a stream, decoded as far as any thread may do it: batches are events already, everything else is the message
// itself. What does not decode becomes an item that carries the story of the damage.
#pragma once

#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"

#include <string>
#include <string_view>

namespace sla::ingest {

struct FrameItem {
    enum class What {
        kMessage,
        kBatch,
        kDamage,
        kNewStream,  // a connection begins: what follows is numbered by its Hello
    };
    What what = What::kMessage;
    wire::EventBatch batch;  // kBatch
    wire::Frame message;     // kMessage; its body is never a batch
    std::string damage;      // kDamage
    std::size_t bytes = 0;   // that it takes here, for bounding queues
};

// Never fails: hostile bytes give a kDamage item.
FrameItem decode_frame(std::string_view serialized);

}  // namespace sla::ingest
