// Columns as streams of version 2 have them.
#include "proto/wire/capture.pb.h"
#include "proto/wire/columns/column_decoder.h"
#include "proto/wire/columns/column_forms.h"
#include "proto/wire/columns/packed_column.h"
#include "proto/wire/columns/varint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace sla::wire {
namespace {

struct Bytes {
    explicit Bytes(const std::string& column) : at(column.data()), end(column.data() + column.size()) {}
    [[nodiscard]] bool done() const { return at == end; }
    // Null, or what is wrong; of a column that begins with its first number, which has a sign.
    const char* signed_numbers(std::size_t count, std::uint64_t* out) {
        if (count == 0) return nullptr;
        if (!get_varint(at, end, *out)) return "the first number is cut off or too long";
        *out = unzigzag(*out);
        return get_packed(at, end, count - 1, out + 1);
    }

    const char* at;
    const char* end;
};

Result<void> decode_ticks(const Batch& in, std::vector<std::uint64_t>& ticks) {
    Bytes bytes(in.packed_ticks());
    ticks[0] = in.first_tick();
    if (const char* wrong = get_packed(bytes.at, bytes.end, ticks.size() - 1, ticks.data() + 1))
        return bad_column(in, "ticks", wrong);
    if (!bytes.done()) return bad_column(in, "ticks", "bytes follow the last event");
    if (!never_falls(ticks.data(), ticks.size())) return bad_column(in, "ticks", "they go back, or are beyond 64 bits");
    if (ticks.back() != in.last_tick()) return bad_column(in, "ticks", "the last one is not last_tick");
    return {};
}

// Null, or what is wrong.
const char* decode_code_runs(Bytes& bytes, std::vector<std::uint8_t>& codes) {
    for (std::size_t position = 0; position < codes.size();) {
        if (bytes.done()) return "the runs do not add up to the number of events";
        const auto code = static_cast<std::uint8_t>(*bytes.at++);
        std::uint64_t length = 0;
        if (!get_varint(bytes.at, bytes.end, length)) return "a run is cut off or too long";
        const std::size_t end = run_end(position, length, codes.size());
        if (end == 0) return "the runs do not add up to the number of events";
        std::memset(codes.data() + position, code, end - position);
        position = end;
    }
    return nullptr;
}

const char* decode_code_turns(Bytes& bytes, std::vector<std::uint8_t>& codes) {
    if (bytes.end - bytes.at < 2) return "the two by turns are cut off";
    const auto first = static_cast<std::uint8_t>(bytes.at[0]);
    const auto second = static_cast<std::uint8_t>(bytes.at[1]);
    bytes.at += 2;
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = i % 2 == 0 ? first : second;
    return nullptr;
}

const char* decode_code_pairs(Bytes& bytes, std::vector<std::uint8_t>& codes) {
    constexpr std::uint8_t kLow = 0x0f;
    const std::size_t half = (codes.size() + 1) / 2;
    const std::size_t behind = codes.size() - half;
    if (static_cast<std::size_t>(bytes.end - bytes.at) < half) return "the pairs are cut off";
    const auto* pairs = reinterpret_cast<const std::uint8_t*>(bytes.at);
    for (std::size_t i = 0; i < half; ++i) codes[i] = pairs[i] & kLow;
    for (std::size_t i = 0; i < behind; ++i) codes[half + i] = pairs[i] >> 4;
    bytes.at += half;
    return behind < half && pairs[half - 1] > kLow ? "a code stands behind the last event" : nullptr;
}

Result<void> decode_codes(const Batch& in, std::vector<std::uint8_t>& codes) {
    Bytes bytes(in.packed_codes());
    if (bytes.done()) return bad_column(in, "codes", "there are none");
    const char* wrong = "of a form that there is not";
    switch (static_cast<CodeForm>(*bytes.at++)) {
        case CodeForm::kRuns: wrong = decode_code_runs(bytes, codes); break;
        case CodeForm::kTurns: wrong = decode_code_turns(bytes, codes); break;
        case CodeForm::kPairs: wrong = decode_code_pairs(bytes, codes); break;
    }
    if (wrong != nullptr) return bad_column(in, "codes", wrong);
    if (!bytes.done()) return bad_column(in, "codes", "bytes follow the last event");
    const std::size_t period = period_of(codes);
    if (!are_known_codes(codes.data(), period)) {
        const auto unknown = std::find_if_not(codes.begin(), codes.end(), is_known_code);
        return bad_column(in, "codes", fmt::format("{} is not a code", *unknown));
    }
    return {};
}

const char* decode_thread_runs(Bytes& bytes, std::vector<std::uint32_t>& threads) {
    for (std::size_t position = 0; position < threads.size();) {
        std::uint64_t thread = 0;
        std::uint64_t length = 0;
        if (!get_varint(bytes.at, bytes.end, thread) || !get_varint(bytes.at, bytes.end, length))
            return "a run is cut off or too long";
        if (thread > std::numeric_limits<std::uint32_t>::max()) return "an id is beyond 32 bits";
        const std::size_t end = run_end(position, length, threads.size());
        if (end == 0) return "the runs do not add up to the number of events";
        std::fill(threads.data() + position, threads.data() + end, static_cast<std::uint32_t>(thread));
        position = end;
    }
    return nullptr;
}

const char* decode_packed_threads(Bytes& bytes, std::vector<std::uint64_t>& numbers, std::vector<std::uint32_t>& threads) {
    if (numbers.size() < threads.size()) numbers.resize(threads.size());
    if (const char* wrong = get_numbers(bytes.at, bytes.end, threads.size(), numbers.data())) return wrong;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        all |= numbers[i];
        threads[i] = static_cast<std::uint32_t>(numbers[i]);
    }
    return all > std::numeric_limits<std::uint32_t>::max() ? "an id is beyond 32 bits" : nullptr;
}

Result<void> decode_threads(const Batch& in, std::vector<std::uint64_t>& numbers, std::vector<std::uint32_t>& threads) {
    Bytes bytes(in.packed_threads());
    if (bytes.done()) return bad_column(in, "threads", "there are none");
    const char* wrong = "of a form that there is not";
    switch (static_cast<ThreadForm>(*bytes.at++)) {
        case ThreadForm::kRuns: wrong = decode_thread_runs(bytes, threads); break;
        case ThreadForm::kPacked: wrong = decode_packed_threads(bytes, numbers, threads); break;
    }
    if (wrong != nullptr) return bad_column(in, "threads", wrong);
    if (!bytes.done()) return bad_column(in, "threads", "bytes follow the last event");
    return {};
}

std::size_t count_values(const std::vector<std::uint8_t>& codes, std::size_t period) {
    if (period == 1) return kHasValue[codes[0]] ? codes.size() : 0;
    if (period == 2) return kHasValue[codes[0]] * ((codes.size() + 1) / 2) + kHasValue[codes[1]] * (codes.size() / 2);
    std::size_t count = 0;
    for (const std::uint8_t code : codes) count += kHasValue[code] ? 1 : 0;
    return count;
}

// Of two codes by turns of which one has values.
void spread_by_turns(const std::uint64_t* numbers, const std::vector<std::uint8_t>& codes, std::uint64_t* values) {
    const std::size_t with = kHasValue[codes[0]] ? 0 : 1;
    const std::size_t pairs = codes.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
        values[2 * i + with] = numbers[i];
        values[2 * i + 1 - with] = 0;
    }
    if (codes.size() % 2 != 0) values[2 * pairs] = with == 0 ? numbers[pairs] : 0;
}

// Each to the next event whose code has one. False: a level is neither 0 nor 1.
bool spread_values(const std::uint64_t* numbers, const std::vector<std::uint8_t>& codes, std::uint64_t* values) {
    std::uint64_t levels = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::uint64_t mask = kHasValue[codes[i]] ? ~std::uint64_t{0} : 0;
        values[i] = numbers[next] & mask;
        levels |= codes[i] == SLA_CODE_LEVEL ? values[i] : 0;
        next += mask & 1;
    }
    return levels <= 1;
}

Result<void> decode_values(const Batch& in, std::vector<std::uint64_t>& numbers, EventBatch& out) {
    const std::vector<std::uint8_t>& codes = out.codes;
    Bytes bytes(in.packed_values());
    const std::size_t period = period_of(codes);
    const std::size_t count = count_values(codes, period);
    const bool all_have_one = count == codes.size();
    if (numbers.size() < count + 1) numbers.resize(count + 1);  // one more: spread_values looks at it
    std::uint64_t* const to = all_have_one ? out.values.data() : numbers.data();
    if (const char* wrong = bytes.signed_numbers(count, to)) return bad_column(in, "values", wrong);
    if (!bytes.done()) return bad_column(in, "values", "bytes follow the last event");
    const bool has_levels = std::memchr(codes.data(), SLA_CODE_LEVEL, period) != nullptr;
    bool good = true;
    if (count == 0) {
        std::fill(out.values.begin(), out.values.end(), 0);
    } else if (!all_have_one && period == 2 && !has_levels) {
        spread_by_turns(numbers.data(), codes, out.values.data());
    } else if (!all_have_one) {
        good = spread_values(numbers.data(), codes, out.values.data());
    } else if (has_levels) {
        for (std::size_t i = 0; i < codes.size(); ++i) good &= codes[i] != SLA_CODE_LEVEL || out.values[i] <= 1;
    }
    if (!good) return bad_column(in, "values", "a level is neither 0 nor 1");
    return {};
}

}  // namespace

// A block of 128 ticks has at least two bytes.
Result<void> check_packed_size(const Batch& in) {
    if (in.packed_ticks().size() < least_packed_bytes(in.count() - 1))
        return bad_column(in, "ticks", "there are fewer bytes than so many events need");
    return {};
}

Result<void> decode_packed_columns(const Batch& in, EventBatch& out) {
    thread_local std::vector<std::uint64_t> numbers;  // between two columns; kept, so that it is grown once
    if (Result<void> ticks = decode_ticks(in, out.ticks); !ticks) return ticks;
    if (Result<void> codes = decode_codes(in, out.codes); !codes) return codes;
    if (Result<void> threads = decode_threads(in, numbers, out.threads); !threads) return threads;
    return decode_values(in, numbers, out);
}

}  // namespace sla::wire
