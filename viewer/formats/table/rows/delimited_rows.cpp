#include "viewer/formats/table/rows/delimited_rows.h"

#include "proto/wire/event.h"
#include "viewer/formats/table/rows/delimited_text.h"

#include <string_view>
#include <utility>

namespace sla::formats {

namespace {

// Of a row without its names and text: its head, a value and three times of at most 24 each, separators.
constexpr std::size_t kNumbersBytes = 256;

constexpr auto kValueTypes = [] {
    std::array<wire::ValueType, 256> types{};
    for (std::size_t code = 0; code < types.size(); ++code)
        types[code] = wire::value_type_of(static_cast<std::uint8_t>(code));
    return types;
}();

char* put_value(std::uint8_t code, std::uint64_t value, char* at) {
    switch (kValueTypes[code]) {
        case wire::ValueType::kNone: return at;
        case wire::ValueType::kUnsigned: return put_number(at, value);
        case wire::ValueType::kSigned: {
            const bool negative = static_cast<std::int64_t>(value) < 0;
            *at = '-';
            return put_number(at + (negative ? 1 : 0), negative ? std::uint64_t{0} - value : value);
        }
        case wire::ValueType::kFloat: return put_real(at, wire::as_double(value));
    }
    return at;
}

}  // namespace

DelimitedRows::DelimitedRows(const time::ClockMap& clock, bool tabs, std::string head)
    : tabs_(tabs),
      separator_(tabs ? '\t' : ','),
      head_line_(std::move(head)),
      clock_(clock),
      times_(clock),
      head_(separator_) {}

// ",source,thread,channel,kind,"
RowNames DelimitedRows::name(const std::array<std::string, 4>& parts) const {
    std::string joined(1, separator_);
    for (const std::string& part : parts) joined += delimited(part, tabs_) + separator_;
    RowNames names;
    names.joined = PaddedText(joined);
    return names;
}

// Inlined: handing so many numbers over by memory costs a third of what making their text does.
[[gnu::always_inline]] inline char* DelimitedRows::put_times(const BlockRow& row, std::uint64_t any_ticks, char* at) {
    *at++ = separator_;
    if (row.has_any) at = times_.put(at, any_ticks);
    *at++ = separator_;
    if (row.has_channel) at = times_.put(at, row.channel_ticks);
    const std::int64_t error_ps = row.has_any || row.has_channel ? row.error_ps : kNoError;
    if (error_ps != error_ps_) make_error_text(error_ps);
    return error_text_.put(at);
}

void DelimitedRows::write(RowBlock& block) {
    ByteBuffer& out = block.out;
    head_.go_on_at(block.first);
    std::uint64_t tick_before = block.tick_before;
    std::string_view texts = block.texts;
    for (const BlockRow& row : block.rows()) {
        const PaddedText& names = row.names->joined;
        char* begin = out.reserve(kNumbersBytes + names.capacity());
        char* at = head_.put(begin, row.tick, clock_.to_ps(row.tick));
        at = names.put(at);
        at = put_value(row.code, row.value, at);
        *at++ = separator_;
        if (row.text_bytes > 0) {
            out.commit(at - begin);
            put_delimited(out, texts.substr(0, row.text_bytes), tabs_);
            texts.remove_prefix(row.text_bytes);
            at = begin = out.reserve(kNumbersBytes);
        }
        at = put_times(row, row.tick - std::exchange(tick_before, row.tick), at);
        out.commit(at - begin);
    }
}

void DelimitedRows::make_error_text(std::int64_t error_ps) {
    char text[40];
    char* end = text;
    *end++ = separator_;
    if (error_ps != kNoError) end = put_nanoseconds(end, static_cast<std::uint64_t>(error_ps));
    *end++ = '\n';
    error_text_ = PaddedText(std::string_view(text, static_cast<std::size_t>(end - text)));
    error_ps_ = error_ps;
}

}  // namespace sla::formats
