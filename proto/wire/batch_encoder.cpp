#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/number_column.h"
#include "proto/wire/utf8.h"
#include "proto/wire/varint.h"

#include <algorithm>
#include <cstring>

namespace sla::wire {
namespace {

constexpr std::size_t kFixedBytes = 128;                             // the scalar fields and the columns' own headers
constexpr std::size_t kBytesPerEvent = 2 * kMaxVarintBytes + 2 + 6;  // tick, value; code run of 1, thread run of 1
constexpr std::size_t kBytesPerExtra = 64;
constexpr std::size_t kReplacementBytes = 3;  // what one bad byte of text may become

// Room for the columns that are being written; kept by each thread, so that it is grown once.
struct Scratch {
    std::vector<char> first;
    std::vector<char> second;
};

char* room_for(std::size_t bytes, std::vector<char>& room) {
    if (room.size() < bytes + kNumberSpill) room.resize(bytes + kNumberSpill);
    return room.data();
}

void set_column(std::string& column, const std::vector<char>& room, const char* end) {
    column.assign(room.data(), static_cast<std::size_t>(end - room.data()));
}

char* put_word(std::uint64_t value, char* out) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(out, &value, sizeof value);
    return out + sizeof value;
}

// [begin, end) of equal elements. Mostly all are, which one fast comparison of the column with itself tells; else they
// often come by turns, as begin and end do.
template <typename T>
std::size_t run_end(const std::vector<T>& column, std::size_t begin) {
    if (begin + 1 == column.size() || column[begin] != column[begin + 1]) return begin + 1;
    std::size_t rest = column.size() - begin - 1;
    if (std::memcmp(column.data() + begin, column.data() + begin + 1, rest * sizeof(T)) == 0) return column.size();
    std::size_t end = begin + 1;
    while (end < column.size() && column[end] == column[begin]) ++end;
    return end;
}

void encode_ticks(const EventBatch& batch, std::string& column, Scratch& scratch) {
    const std::uint64_t* ticks = batch.ticks.data();
    char* at = room_for(batch.size() * kMaxVarintBytes, scratch.first);
    at = put_varint(0, at);
    std::size_t backwards = 0;
    const auto rises = [ticks](std::size_t first, char* out, Turns&) { return put_eight_rises(ticks + first, out); };
    const auto step = [ticks, &backwards](std::size_t i) {
        backwards += ticks[i + 1] < ticks[i];
        return ticks[i + 1] - ticks[i];
    };
    at = put_steps(batch.size() - 1, rises, step, at);
    SLA_CHECK(backwards == 0);
    set_column(column, scratch.first, at);
}

void encode_threads(const EventBatch& batch, std::string& column, Scratch& scratch) {
    char* at = room_for(batch.size() * 2 * kMaxVarintBytes, scratch.first);
    for (std::size_t begin = 0; begin < batch.size();) {
        const std::size_t end = run_end(batch.threads, begin);
        at = put_varint(batch.threads[begin], at);
        at = put_varint(end - begin, at);
        begin = end;
    }
    set_column(column, scratch.first, at);
}

// Integers as differences to the one before in the batch.
char* put_integers(const std::uint64_t* begin, const std::uint64_t* end, std::uint64_t& before, char* out) {
    if (begin == end) return out;
    out = put_varint(zigzag(*begin - before), out);
    const auto steps = static_cast<std::size_t>(end - begin) - 1;
    before = end[-1];
    const auto step = [begin](std::size_t i) { return zigzag(begin[i + 1] - begin[i]); };
    const auto by_turns = [&](std::size_t first, char* to, Turns& turns) -> char* {
        if (!are_by_turns(begin + first)) return nullptr;
        const std::uint64_t there = step(first);
        const std::uint64_t back = step(first + 1);
        return turns.put_twice(there, back, turns.put_twice(there, back, to));
    };
    return put_steps(steps, by_turns, step, out);
}

char* put_levels(const std::uint64_t* begin, const std::uint64_t* end, std::uint64_t& before, char* out) {
    for (; begin != end; ++begin) {
        const std::uint64_t level = *begin != 0 ? 1 : 0;
        out = put_varint(zigzag(level - before), out);
        before = level;
    }
    return out;
}

constexpr bool is_plain_integer(std::uint8_t code) {
    const ValueType type = value_type_of(code);
    return (type == ValueType::kSigned || type == ValueType::kUnsigned) && code != SLA_CODE_LEVEL;
}

// Of values that are no plain integers.
char* put_others(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end, std::uint64_t& before, char* out) {
    if (code == SLA_CODE_LEVEL) return put_levels(begin, end, before, out);
    if (value_type_of(code) != ValueType::kFloat) return out;
    for (; begin != end; ++begin) out = put_word(*begin, out);
    return out;
}

// Codes that come by turns, each a run of one: eight at a time while the one behind is there to show that the last run ends
// too. Begins where a run begins; gives where it stopped, which is where one begins.
std::size_t put_single_codes(const std::vector<std::uint8_t>& codes, std::size_t begin, char*& out) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    constexpr std::uint64_t kLow = 0x0101010101010101;
    constexpr std::uint64_t kTop = 0x8080808080808080;
    std::uint64_t checked = 0;  // eight codes that are plain integers
    for (; begin + kWord < codes.size(); begin += kWord) {
        std::uint64_t here = 0;
        std::uint64_t next = 0;
        std::memcpy(&here, codes.data() + begin, kWord);
        std::memcpy(&next, codes.data() + begin + 1, kWord);
        const std::uint64_t changes = here ^ next;
        if (((changes - kLow) & ~changes & kTop) != 0) break;  // two that are equal
        if (here != checked && !std::all_of(&codes[begin], &codes[begin] + kWord, is_plain_integer)) break;
        checked = here;
        for (const std::uint64_t half : {here & 0xffffffff, here >> 32}) {  // a run of 1 behind each
            const std::uint64_t pairs = (half | half << 16) & 0x0000ffff0000ffff;
            out = put_word(((pairs | pairs << 8) & 0x00ff00ff00ff00ff) | 0x0100010001000100, out);
        }
    }
    return begin;
}

// Plain integers are one column of differences whatever their codes, so runs of them are put out together: spans whose
// begins and ends come by turns have runs of one.
void encode_codes_and_values(const EventBatch& batch, std::string& codes, std::string& values, Scratch& scratch) {
    char* code_at = room_for(batch.size() * (1 + kMaxVarintBytes), scratch.first);
    char* value_at = room_for(batch.size() * kMaxVarintBytes, scratch.second);
    const std::uint64_t* numbers = batch.values.data();
    std::uint64_t before = 0;
    std::size_t integers = 0;  // not put out yet: [integers, begin)
    for (std::size_t begin = 0; begin < batch.size();) {
        begin = put_single_codes(batch.codes, begin, code_at);
        const std::size_t end = run_end(batch.codes, begin);
        const std::uint8_t code = batch.codes[begin];
        SLA_CHECK(is_known_code(code));
        *code_at++ = static_cast<char>(code);
        code_at = put_varint(end - begin, code_at);
        if (!is_plain_integer(code)) {
            value_at = put_integers(numbers + integers, numbers + begin, before, value_at);
            value_at = put_others(code, numbers + begin, numbers + end, before, value_at);
            integers = end;
        }
        begin = end;
    }
    value_at = put_integers(numbers + integers, numbers + batch.size(), before, value_at);
    set_column(codes, scratch.first, code_at);
    set_column(values, scratch.second, value_at);
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
    thread_local Scratch scratch;
    encode_ticks(batch, *out.mutable_ticks(), scratch);
    encode_codes_and_values(batch, *out.mutable_codes(), *out.mutable_values(), scratch);
    encode_threads(batch, *out.mutable_threads(), scratch);
    encode_extras(batch, out);
}

}  // namespace sla::wire
