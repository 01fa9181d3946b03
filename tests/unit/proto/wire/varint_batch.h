// Batches as recorders sent them before: nobody writes such any more, but there are files.
#pragma once

#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/columns/varint.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <string>
#include <string_view>

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

// Packed columns without those of details and texts, which stand among the extras. Replaces `out`.
inline void encode_packed_batch(const EventBatch& batch, Batch& out) {
    EventBatch plain = batch;
    for (auto& column : plain.details) column.clear();
    plain.texts.clear();
    encode_batch(plain, out);
    const Batch without = out;
    out.clear_extras();
    auto extra = without.extras().begin();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const bool has_extra = extra != without.extras().end() && extra->position() == i;
        const Details words = batch.details_of(i);
        const std::string_view text = batch.texts.of(i);
        if (!has_extra && (words[0] | words[1]) == 0 && text.empty()) continue;
        Batch::Extra& to = *out.add_extras();
        if (has_extra) to = *extra++;
        to.set_position(static_cast<std::uint32_t>(i));
        to.set_detail0(words[0]);
        to.set_detail1(words[1]);
        to.set_text(std::string(text));
    }
}

// Replaces `out`.
inline void encode_varint_batch(const EventBatch& batch, Batch& out) {
    encode_packed_batch(batch, out);  // for what both have alike
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
