#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/columns/column_forms.h"
#include "proto/wire/columns/extra_columns.h"
#include "proto/wire/columns/packed_column.h"
#include "proto/wire/columns/varint.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sla::wire {
namespace {

constexpr std::size_t kFixedBytes = 256;  // the scalar fields, the columns' own headers, a block's of each
constexpr std::size_t kBytesPerEvent = 2 * (8 + 1) + 1 + 5;  // tick and value with their share of a block; code; thread
// A word, or a text's length, with its share of a block and its bit.
constexpr std::size_t kBytesPerDetail = 8 + 1 + 1;
constexpr std::size_t kBytesPerExtra = 64;
constexpr std::size_t kFewRuns = 4;           // take no more than a block's beginning
constexpr std::size_t kReplacementBytes = 3;  // what one bad byte of text may become

// For the columns that are being written; kept by each thread, so that it is grown once.
struct Scratch {
    char* capacity(std::size_t wanted) {
        if (bytes.size() < wanted) bytes.resize(wanted);
        return bytes.data();
    }
    std::uint64_t* numbers_for(std::size_t count) {
        if (numbers.size() < count) numbers.resize(count);
        return numbers.data();
    }
    void set_column(std::string& column, const char* end) {
        column.assign(bytes.data(), static_cast<std::size_t>(end - bytes.data()));
    }
    std::vector<char> bytes;
    std::vector<std::uint64_t> numbers;
};

template <typename T>
std::size_t count_runs(const std::vector<T>& column) {
    std::size_t runs = 1;
    for (std::size_t i = 1; i < column.size(); ++i) runs += column[i] != column[i - 1] ? 1 : 0;
    return runs;
}

// put(element, length, out) -> end for each run of equal elements.
template <typename T, typename Put>
char* put_runs(const std::vector<T>& column, char* out, Put put) {
    for (std::size_t begin = 0; begin < column.size();) {
        std::size_t end = begin + 1;
        if (begin == 0 && repeats(column, 1)) end = column.size();
        while (end < column.size() && column[end] == column[begin]) ++end;
        out = put(column[begin], end - begin, out);
        begin = end;
    }
    return out;
}

void encode_ticks(const EventBatch& batch, std::string& column, Scratch& scratch) {
    const std::vector<std::uint64_t>& ticks = batch.ticks;
    const bool is_backwards = !never_falls(ticks.data(), ticks.size());
    SLA_CHECK(!is_backwards);
    char* const out = scratch.capacity(packed_capacity(ticks.size()));
    scratch.set_column(column, put_packed(ticks.data() + 1, ticks.size() - 1, Steps::kAlways, out));
}

char* put_code_runs(const std::vector<std::uint8_t>& codes, char* out) {
    *out++ = static_cast<char>(CodeForm::kRuns);
    return put_runs(codes, out, [](std::uint8_t code, std::size_t length, char* to) {
        *to++ = static_cast<char>(code);
        return put_varint(length, to);
    });
}

char* put_code_pairs(const std::vector<std::uint8_t>& codes, char* out) {
    *out++ = static_cast<char>(CodeForm::kPairs);
    const std::size_t half = (codes.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const std::uint8_t behind = half + i < codes.size() ? codes[half + i] : 0;
        *out++ = static_cast<char>(codes[i] | behind << 4);
    }
    return out;
}

void encode_codes(const EventBatch& batch, std::string& column, Scratch& scratch) {
    const std::vector<std::uint8_t>& codes = batch.codes;
    char* const out = scratch.capacity(8 + 2 * codes.size());
    const bool is_run = repeats(codes, 1);
    const bool is_by_turns = !is_run && repeats(codes, 2);
    SLA_CHECK(are_known_codes(codes.data(), is_run ? 1 : is_by_turns ? 2 : codes.size()));
    if (is_run) return scratch.set_column(column, put_code_runs(codes, out));
    if (is_by_turns) {
        const char turns[] = {static_cast<char>(CodeForm::kTurns), static_cast<char>(codes[0]), static_cast<char>(codes[1])};
        column.assign(turns, sizeof turns);
        return;
    }
    const bool are_long = count_runs(codes) < codes.size() / 8;
    scratch.set_column(column, are_long ? put_code_runs(codes, out) : put_code_pairs(codes, out));
}

void encode_threads(const EventBatch& batch, std::string& column, Scratch& scratch) {
    const std::vector<std::uint32_t>& threads = batch.threads;
    char* out = scratch.capacity(1 + packed_capacity(threads.size()) + 2 * kMaxVarintBytes);
    if (repeats(threads, 1) || count_runs(threads) < kFewRuns + threads.size() / 8) {
        *out++ = static_cast<char>(ThreadForm::kRuns);
        out = put_runs(threads, out, [](std::uint32_t thread, std::size_t length, char* to) {
            return put_varint(length, put_varint(thread, to));
        });
        return scratch.set_column(column, out);
    }
    *out++ = static_cast<char>(ThreadForm::kPacked);
    std::uint64_t* const numbers = scratch.numbers_for(threads.size());
    std::copy(threads.begin(), threads.end(), numbers);
    scratch.set_column(column, put_numbers(numbers, threads.size(), out));
}

// The values of codes that have one; levels 0 or 1. Gives how many there are.
std::size_t gather_values(const EventBatch& batch, std::uint64_t* numbers) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::uint8_t code = batch.codes[i];
        const std::uint64_t value = batch.values[i];
        numbers[count] = code == SLA_CODE_LEVEL ? static_cast<std::uint64_t>(value != 0) : value;
        count += kHasValue[code] ? 1 : 0;
    }
    return count;
}

// Of two codes by turns, as begin and end of a span, of which the one at `from` alone has values.
std::size_t gather_by_turns(const EventBatch& batch, std::size_t from, std::uint64_t* numbers) {
    std::size_t count = 0;
    for (std::size_t i = from; i < batch.size(); i += 2) numbers[count++] = batch.values[i];
    return count;
}

void encode_values(const EventBatch& batch, std::string& column, Scratch& scratch) {
    column.clear();
    const std::vector<std::uint8_t>& codes = batch.codes;
    const std::size_t period = period_of(codes);
    const bool is_simple = period <= 2 && std::memchr(codes.data(), SLA_CODE_LEVEL, period) == nullptr;
    const bool has_first = kHasValue[codes[0]];
    const bool has_second = kHasValue[codes[period - 1]];
    if (is_simple && !has_first && !has_second) return;
    const std::uint64_t* numbers = batch.values.data();
    std::size_t count = batch.size();
    if (!is_simple || !has_first || !has_second) {
        std::uint64_t* const gathered = scratch.numbers_for(count);
        count = is_simple ? gather_by_turns(batch, has_first ? 0 : 1, gathered) : gather_values(batch, gathered);
        numbers = gathered;
    }
    if (count == 0) return;
    char* const out = scratch.capacity(kMaxVarintBytes + packed_capacity(count));
    scratch.set_column(column, put_packed(numbers + 1, count - 1, Steps::kMaybe, put_varint(zigzag(numbers[0]), out)));
}

void encode_extras(const EventBatch& batch, Batch& out) {
    out.clear_extras();
    std::uint32_t next_position = 0;
    for (const Extra& extra : batch.extras) {
        SLA_CHECK(extra.position >= next_position && extra.position < batch.size());
        next_position = extra.position + 1;
        SLA_CHECK(batch.codes[extra.position] == SLA_CODE_GAP);
        Batch::Extra& encoded = *out.add_extras();
        encoded.set_position(extra.position);
        encoded.set_cause(static_cast<Batch::LossCause>(extra.cause));
        encoded.set_until_tick(extra.until_tick);
    }
}

void encode_extra_columns(const EventBatch& batch, Batch& out) {
    encode_details(batch.details[0], batch.codes, *out.mutable_packed_detail0());
    encode_details(batch.details[1], batch.codes, *out.mutable_packed_detail1());
    encode_texts(batch.texts, batch.codes, *out.mutable_packed_texts());
    const bool any = !out.packed_detail0().empty() || !out.packed_detail1().empty() || !out.packed_texts().empty();
    out.set_encoding(any ? Batch::ENCODING_EXTRAS : Batch::ENCODING_PACKED);  // which older programs read, too
}

void clear_varint_columns(Batch& out) {
    out.clear_ticks();
    out.clear_codes();
    out.clear_threads();
    out.clear_values();
}

}  // namespace

std::size_t encoded_bound(const EventBatch& batch) {
    std::size_t bytes = kFixedBytes + kBytesPerEvent * batch.size();
    for (const auto& column : batch.details) bytes += column.empty() ? 0 : kFixedBytes + kBytesPerDetail * batch.size();
    if (!batch.texts.empty()) bytes += kFixedBytes + batch.size() / 8;
    for (std::size_t i = 0; i < batch.texts.size(); ++i)
        bytes += kBytesPerDetail + std::min(kMaxTextBytes, kReplacementBytes * batch.texts[i].size());
    return bytes + kBytesPerExtra * batch.extras.size();
}

void encode_batch(const EventBatch& batch, Batch& out) {
    const std::size_t count = batch.size();
    SLA_CHECK(count > 0 && count <= kMaxBatchEvents);
    SLA_CHECK(batch.codes.size() == count && batch.values.size() == count && batch.threads.size() == count);
    SLA_CHECK(batch.details[0].size() <= count && batch.details[1].size() <= count);
    SLA_CHECK(batch.texts.empty() || batch.texts.position(batch.texts.size() - 1) < count);
    out.set_channel(batch.channel.value);
    out.set_first_index(batch.first_index);
    out.set_count(static_cast<std::uint32_t>(count));
    out.set_first_tick(batch.ticks.front());
    out.set_last_tick(batch.ticks.back());
    clear_varint_columns(out);
    thread_local Scratch scratch;
    encode_ticks(batch, *out.mutable_packed_ticks(), scratch);
    encode_codes(batch, *out.mutable_packed_codes(), scratch);
    encode_threads(batch, *out.mutable_packed_threads(), scratch);
    encode_values(batch, *out.mutable_packed_values(), scratch);
    encode_extra_columns(batch, out);
    encode_extras(batch, out);
}

}  // namespace sla::wire
