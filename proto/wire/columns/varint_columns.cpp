// Columns as streams of version 1 have them.
#include "proto/wire/capture.pb.h"
#include "proto/wire/columns/column_decoder.h"
#include "proto/wire/columns/varint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace sla::wire {
namespace {

struct VarintReader {
    explicit VarintReader(const std::string& column) : at(column.data()), end(column.data() + column.size()) {}
    [[nodiscard]] bool done() const { return at == end; }
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end - at); }
    bool varint(std::uint64_t& number) { return get_varint(at, end, number); }

    const char* at;
    const char* end;
};

Result<void> decode_varint_ticks(const Batch& in, std::vector<std::uint64_t>& ticks) {
    VarintReader reader(in.ticks());
    std::uint64_t tick = in.first_tick();
    for (std::uint64_t& out : ticks) {
        std::uint64_t difference = 0;
        if (!reader.varint(difference)) return bad_column(in, "ticks", "a number is cut off or too long");
        if (__builtin_add_overflow(tick, difference, &tick)) return bad_column(in, "ticks", "a tick is beyond 64 bits");
        out = tick;
    }
    if (!reader.done()) return bad_column(in, "ticks", "bytes follow the last event");
    if (ticks.front() != in.first_tick()) return bad_column(in, "ticks", "the first one is not first_tick");
    if (tick != in.last_tick()) return bad_column(in, "ticks", "the last one is not last_tick");
    return {};
}

Result<void> decode_varint_threads(const Batch& in, std::vector<std::uint32_t>& threads) {
    VarintReader reader(in.threads());
    std::size_t position = 0;
    while (position < threads.size()) {
        std::uint64_t thread = 0;
        std::uint64_t length = 0;
        if (!reader.varint(thread) || !reader.varint(length))
            return bad_column(in, "threads", "a run is cut off or too long");
        if (thread > std::numeric_limits<std::uint32_t>::max()) return bad_column(in, "threads", "an id is beyond 32 bits");
        const std::size_t end = run_end(position, length, threads.size());
        if (end == 0) return bad_column(in, "threads", "the runs do not add up to the number of events");
        std::fill(threads.begin() + static_cast<std::ptrdiff_t>(position),
                  threads.begin() + static_cast<std::ptrdiff_t>(end), static_cast<std::uint32_t>(thread));
        position = end;
    }
    if (!reader.done()) return bad_column(in, "threads", "bytes follow the last event");
    return {};
}

// Reads the values of runs of one code, in order.
class ValueReader {
public:
    explicit ValueReader(const std::string& column) : reader_(column) {}

    [[nodiscard]] bool done() const { return reader_.done(); }

    // Null, or what is wrong.
    const char* run(std::uint8_t code, std::uint64_t* begin, std::uint64_t* end) {
        switch (value_type_of(code)) {
            case ValueType::kNone: std::fill(begin, end, 0); return nullptr;
            case ValueType::kFloat: return floats(begin, end);
            case ValueType::kSigned:
            case ValueType::kUnsigned: break;
        }
        if (!integers(begin, end)) return "a number is cut off or too long";
        const bool bad_level =
            code == SLA_CODE_LEVEL && std::any_of(begin, end, [](std::uint64_t level) { return level > 1; });
        return bad_level ? "a level is neither 0 nor 1" : nullptr;
    }

private:
    bool integers(std::uint64_t* begin, std::uint64_t* end) {
        std::uint64_t value = previous_;
        for (; begin != end; ++begin) {
            std::uint64_t difference = 0;
            if (!reader_.varint(difference)) return false;
            value += unzigzag(difference);
            *begin = value;
        }
        previous_ = value;
        return true;
    }

    const char* floats(std::uint64_t* begin, std::uint64_t* end) {
        const std::size_t bytes = static_cast<std::size_t>(end - begin) * sizeof *begin;
        if (reader_.left() < bytes) return "a floating-point number is cut off";
        std::memcpy(begin, reader_.at, bytes);
        reader_.at += bytes;
        return nullptr;
    }

    VarintReader reader_;
    std::uint64_t previous_ = 0;
};

Result<void> decode_varint_codes(const Batch& in, EventBatch& out) {
    VarintReader reader(in.codes());
    ValueReader values(in.values());
    std::size_t position = 0;
    while (position < out.codes.size()) {
        if (reader.done()) return bad_column(in, "codes", "the runs do not add up to the number of events");
        const auto code = static_cast<std::uint8_t>(*reader.at++);
        if (!is_known_code(code)) return bad_column(in, "codes", fmt::format("{} is not a code", code));
        std::uint64_t length = 0;
        if (!reader.varint(length)) return bad_column(in, "codes", "a run is cut off or too long");
        const std::size_t end = run_end(position, length, out.codes.size());
        if (end == 0) return bad_column(in, "codes", "the runs do not add up to the number of events");
        if (length == 1) {  // spans: by turns a begin and an end
            out.codes[position] = code;
        } else {
            std::memset(out.codes.data() + position, code, end - position);
        }
        const char* wrong = values.run(code, out.values.data() + position, out.values.data() + end);
        if (wrong != nullptr) return bad_column(in, "values", wrong);
        position = end;
    }
    if (!reader.done()) return bad_column(in, "codes", "bytes follow the last event");
    if (!values.done()) return bad_column(in, "values", "bytes follow the last event");
    return {};
}

}  // namespace

// Every event has at least one byte of ticks.
Result<void> check_varint_size(const Batch& in) {
    if (in.ticks().size() < in.count()) return bad_column(in, "ticks", "there are fewer bytes than events");
    return {};
}

Result<void> decode_varint_columns(const Batch& in, EventBatch& out) {
    if (Result<void> ticks = decode_varint_ticks(in, out.ticks); !ticks) return ticks;
    if (Result<void> codes = decode_varint_codes(in, out); !codes) return codes;
    return decode_varint_threads(in, out.threads);
}

}  // namespace sla::wire
