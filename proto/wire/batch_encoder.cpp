#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/utf8.h"
#include "proto/wire/varint.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sla::wire {
namespace {

constexpr std::size_t kFixedBytes = 128;                             // the scalar fields and the columns' own headers
constexpr std::size_t kBytesPerEvent = 2 * kMaxVarintBytes + 2 + 6;  // tick, value; code run of 1, thread run of 1
constexpr std::size_t kBytesPerExtra = 64;
constexpr std::size_t kReplacementBytes = 3;  // what one bad byte of text may become

// Collects bytes on the stack and moves them to a column in pieces: one capacity check per piece, no zeroing.
class ColumnWriter {
public:
    explicit ColumnWriter(std::string& column) : column_(column) { column_.clear(); }
    ~ColumnWriter() { column_.append(piece_.data(), used()); }
    ColumnWriter(const ColumnWriter&) = delete;
    ColumnWriter& operator=(const ColumnWriter&) = delete;

    void byte(std::uint8_t value) { *room() = static_cast<char>(value), ++at_; }
    void varint(std::uint64_t value) { at_ = put_varint(value, room()); }
    void word(std::uint64_t value) {
        static_assert(std::endian::native == std::endian::little);
        std::memcpy(room(), &value, sizeof value);
        at_ += sizeof value;
    }

private:
    [[nodiscard]] std::size_t used() const { return static_cast<std::size_t>(at_ - piece_.data()); }
    char* room() {
        if (__builtin_expect(piece_.size() - used() < kMaxVarintBytes, 0)) {
            column_.append(piece_.data(), used());
            at_ = piece_.data();
        }
        return at_;
    }

    std::string& column_;
    std::array<char, 1024> piece_;
    char* at_ = piece_.data();
};

// [begin, end) of equal elements.
template <typename T>
std::size_t run_end(const std::vector<T>& column, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < column.size() && column[end] == column[begin]) ++end;
    return end;
}

void encode_ticks(const EventBatch& batch, std::string& column) {
    ColumnWriter writer(column);
    std::uint64_t previous = batch.ticks.front();
    for (const std::uint64_t tick : batch.ticks) {
        SLA_CHECK(tick >= previous);
        writer.varint(tick - previous);
        previous = tick;
    }
}

void encode_threads(const EventBatch& batch, std::string& column) {
    ColumnWriter writer(column);
    for (std::size_t begin = 0; begin < batch.size();) {
        const std::size_t end = run_end(batch.threads, begin);
        writer.varint(batch.threads[begin]);
        writer.varint(end - begin);
        begin = end;
    }
}

class ValueWriter {
public:
    explicit ValueWriter(std::string& column) : writer_(column) {}

    void run(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end) {
        switch (value_type_of(code)) {
            case ValueType::kNone: return;
            case ValueType::kFloat:
                for (; begin != end; ++begin) writer_.word(*begin);
                return;
            case ValueType::kSigned:
            case ValueType::kUnsigned:
                if (code == SLA_CODE_LEVEL) {
                    for (; begin != end; ++begin) integer(*begin != 0 ? 1 : 0);
                } else {
                    for (; begin != end; ++begin) integer(*begin);
                }
                return;
        }
    }

private:
    void integer(std::uint64_t value) {
        writer_.varint(zigzag(value - previous_));
        previous_ = value;
    }

    ColumnWriter writer_;
    std::uint64_t previous_ = 0;
};

void encode_codes_and_values(const EventBatch& batch, std::string& codes, std::string& values) {
    ColumnWriter code_writer(codes);
    ValueWriter value_writer(values);
    for (std::size_t begin = 0; begin < batch.size();) {
        const std::size_t end = run_end(batch.codes, begin);
        const std::uint8_t code = batch.codes[begin];
        SLA_CHECK(is_known_code(code));
        code_writer.byte(code);
        code_writer.varint(end - begin);
        value_writer.run(code, batch.values.data() + begin, batch.values.data() + end);
        begin = end;
    }
}

void encode_extras(const EventBatch& batch, Batch& out) {
    out.clear_extras();
    std::uint32_t next_position = 0;
    for (const Extra& extra : batch.extras) {
        SLA_CHECK(extra.position >= next_position && extra.position < batch.size());
        next_position = extra.position + 1;
        Batch::Extra& encoded = *out.add_extras();
        encoded.set_position(extra.position);
        if (!extra.text.empty()) encoded.set_text(to_utf8(extra.text, kMaxTextBytes));
        encoded.set_detail0(extra.detail[0]);
        encoded.set_detail1(extra.detail[1]);
        if (batch.codes[extra.position] != SLA_CODE_GAP) continue;
        encoded.set_cause(static_cast<Batch::LossCause>(extra.cause));
        encoded.set_until_tick(extra.until_tick);
    }
}

}  // namespace

std::size_t encoded_bound(const EventBatch& batch) {
    std::size_t bytes = kFixedBytes + kBytesPerEvent * batch.size();
    for (const Extra& extra : batch.extras) {
        bytes += kBytesPerExtra + std::min(kMaxTextBytes, kReplacementBytes * extra.text.size());
    }
    return bytes;
}

void encode_batch(const EventBatch& batch, Batch& out) {
    const std::size_t count = batch.size();
    SLA_CHECK(count > 0 && count <= kMaxBatchEvents);
    SLA_CHECK(batch.codes.size() == count && batch.values.size() == count && batch.threads.size() == count);
    out.set_channel(batch.channel.value);
    out.set_first_index(batch.first_index);
    out.set_count(static_cast<std::uint32_t>(count));
    out.set_first_tick(batch.ticks.front());
    out.set_last_tick(batch.ticks.back());
    encode_ticks(batch, *out.mutable_ticks());
    encode_codes_and_values(batch, *out.mutable_codes(), *out.mutable_values());
    encode_threads(batch, *out.mutable_threads());
    encode_extras(batch, out);
}

}  // namespace sla::wire
