// A batch message from a hostile agent or file: what decodes is valid, and survives being encoded and decoded again.
#include "proto/base/check.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/unit/proto/wire/random_batch.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sla::wire;
    Batch message;
    if (!parse_message({reinterpret_cast<const char*>(data), size}, message)) return 0;
    EventBatch batch;
    if (!decode_batch(message, batch)) return 0;
    SLA_CHECK(is_valid(batch));
    Batch again;
    encode_batch(batch, again);
    SLA_CHECK(again.ByteSizeLong() <= encoded_bound(batch));
    EventBatch back;
    SLA_CHECK(decode_batch(again, back).ok());
    SLA_CHECK(same(batch, back));
    return 0;
}
