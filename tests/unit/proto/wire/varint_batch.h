// Batches as recorders of version 1 sent them: nobody writes such any more, but there are files.
#pragma once

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/event.h"
#include "proto/wire/varint.h"

#include <cstdint>
#include <string>

namespace sla::wire {

inline void append_varint(std::string& column, std::uint64_t number) {
    char bytes[kMaxVarintBytes];
    column.append(bytes, put_varint(number, bytes));
}

inline void append_value(std::string& column, std::uint8_t code, std::uint64_t value, std::uint64_t& before) {
    if (value_type_of(code) == ValueType::kFloat) {
        for (unsigned shift = 0; shift < 64; shift += 8) column += static_cast<char>(value >> shift & 0xff);
    } else if (has_value(code)) {
        append_varint(column, zigzag(value - before));
        before = value;
    }
}

// Replaces `out`.
inline void encode_varint_batch(const EventBatch& batch, Batch& out) {
    encode_batch(batch, out);  // for what both have alike
    out.clear_encoding();
    out.clear_packed_ticks();
    out.clear_packed_codes();
    out.clear_packed_threads();
    out.clear_packed_values();
    std::uint64_t tick = batch.ticks.front();
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        append_varint(*out.mutable_ticks(), batch.ticks[i] - tick);
        tick = batch.ticks[i];
        append_value(*out.mutable_values(), batch.codes[i], batch.values[i], before);
    }
    for (std::size_t begin = 0, end = 0; begin < batch.size(); begin = end) {
        while (end < batch.size() && batch.codes[end] == batch.codes[begin]) ++end;
        *out.mutable_codes() += static_cast<char>(batch.codes[begin]);
        append_varint(*out.mutable_codes(), end - begin);
    }
    for (std::size_t begin = 0, end = 0; begin < batch.size(); begin = end) {
        while (end < batch.size() && batch.threads[end] == batch.threads[begin]) ++end;
        append_varint(*out.mutable_threads(), batch.threads[begin]);
        append_varint(*out.mutable_threads(), end - begin);
    }
}

}  // namespace sla::wire
