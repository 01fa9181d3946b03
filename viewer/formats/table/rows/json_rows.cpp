#include "viewer/formats/table/rows/json_rows.h"

#include "proto/wire/event.h"
#include "viewer/formats/json_text.h"

#include <string_view>
#include <utility>

namespace sla::formats {

namespace {

// Of a row without its names and text: seven keys, numbers of at most 24 each.
constexpr std::size_t kJsonNumbersBytes = 768;

const PaddedText kTickKey(",\"tick\":");
const PaddedText kTimeKey(",\"time_ns\":");
const PaddedText kAnyKey(",\"delta_any_ns\":");
const PaddedText kChannelKey(",\"delta_channel_ns\":");
const PaddedText kNull("null");
constexpr std::array<std::string_view, 4> kNameKeys = {",\"source\":", ",\"thread\":", ",\"channel\":", ",\"kind\":"};

}  // namespace

JsonRows::JsonRows(const time::ClockMap& clock, bool lines)
    : lines_(lines),
      clock_(clock),
      times_(clock),
      first_row_(lines ? "{\"index\":" : "\n{\"index\":"),
      next_row_(lines ? "{\"index\":" : ",\n{\"index\":") {}

RowNames JsonRows::name(const std::array<std::string, 4>& parts) const {
    ByteBuffer joined;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        joined.put(kNameKeys[i]);
        put_json_text(joined, parts[i]);
    }
    joined.put(",\"value\":");
    RowNames names;
    names.joined = PaddedText(joined.view());
    return names;
}

void JsonRows::begin(ByteBuffer& out) {
    if (!lines_) out.put('[');
}

void JsonRows::end(ByteBuffer& out) {
    if (!lines_) out.put("\n]\n");
}

char* JsonRows::put_head(std::uint64_t index, const BlockRow& row, char* at) const {
    at = (index == 0 ? first_row_ : next_row_).put(at);
    at = put_number(at, index);
    at = kTickKey.put(at);
    at = put_number(at, row.tick);
    at = kTimeKey.put(at);
    at = put_signed_nanoseconds(at, clock_.to_ps(row.tick));
    return row.names->joined.put(at);
}

void JsonRows::put_value(const BlockRow& row, ByteBuffer& out) {
    switch (wire::value_type_of(row.code)) {
        case wire::ValueType::kNone: return out.put("null");
        case wire::ValueType::kUnsigned: return out.put_unsigned(row.value);
        case wire::ValueType::kSigned: return out.put_signed(static_cast<std::int64_t>(row.value));
        case wire::ValueType::kFloat: return put_json_float(out, wire::as_double(row.value));
    }
}

char* JsonRows::put_times(const BlockRow& row, std::uint64_t any_ticks, char* at) {
    at = kAnyKey.put(at);
    at = row.has_any ? times_.put(at, any_ticks) : kNull.put(at);
    at = kChannelKey.put(at);
    at = row.has_channel ? times_.put(at, row.channel_ticks) : kNull.put(at);
    const std::int64_t error_ps = row.has_any || row.has_channel ? row.error_ps : kNoError;
    if (error_ps != error_ps_) make_error_text(error_ps);
    return error_text_.put(at);
}

void JsonRows::write(RowBlock& block) {
    ByteBuffer& out = block.out;
    std::uint64_t index = block.first;
    std::uint64_t tick_before = block.tick_before;
    std::string_view texts = block.texts;
    for (const BlockRow& row : block.rows()) {
        char* const begin = out.reserve(kJsonNumbersBytes + row.names->joined.capacity());
        out.commit(put_head(index++, row, begin) - begin);
        put_value(row, out);
        out.put(",\"text\":");
        if (row.text_bytes == 0 && wire::kind_of(row.code) != wire::Kind::kText) {
            out.put("null");
        } else {
            put_json_text(out, texts.substr(0, row.text_bytes));
            texts.remove_prefix(row.text_bytes);
        }
        char* const times = out.reserve(kJsonNumbersBytes);
        out.commit(put_times(row, row.tick - std::exchange(tick_before, row.tick), times) - times);
    }
}

void JsonRows::make_error_text(std::int64_t error_ps) {
    ByteBuffer text;
    text.put(",\"error_ns\":");
    if (error_ps == kNoError) {
        text.put("null");
    } else {
        text.put_ns(error_ps);
    }
    text.put(lines_ ? "}\n" : "}");
    error_text_ = PaddedText(text.view());
    error_ps_ = error_ps;
}

}  // namespace sla::formats
