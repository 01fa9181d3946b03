// Takes batches out of frames into one message whose memory is used again and again: a frame's own would give it back each
// time, with texts several allocations an event.
#pragma once

#include "proto/wire/capture.pb.h"

#include <string_view>

namespace sla::wire {

// One owner, one thread. Memory: that of a message of 512 KiB.
class BatchParser {
public:
    // `frame` is a serialized Frame, from outside too. Null: it is not sound, or holds anything but one batch; ask
    // parse_message() then. Valid until the next call.
    const Batch* parse(std::string_view frame);

private:
    Batch batch_;
    bool is_large_ = false;
};

}  // namespace sla::wire
