#include "proto/fleet/headers.h"

#include "proto/base/text.h"

#include <string_view>

namespace sla::fleet {
namespace {

// False: it is there and no number.
template <typename Number>
bool take_number(const char* text, std::optional<Number>& out) {
    if (text == nullptr) return true;
    out = whole_number<Number>(text);
    return out.has_value();
}

}  // namespace

std::vector<std::pair<const char*, std::string>> MessageHeaders::texts() const {
    std::vector<std::pair<const char*, std::string>> texts;
    texts.emplace_back(kIdHeader, id.text());
    texts.emplace_back(kPieceHeader, std::to_string(id.piece));
    if (times) {
        texts.emplace_back(kFirstTimeHeader, std::to_string(times->first_ns));
        texts.emplace_back(kLastTimeHeader, std::to_string(times->last_ns));
    }
    texts.emplace_back(kRowsHeader, std::to_string(rows));
    if (frames_at != 0) texts.emplace_back(kOfHeader, std::to_string(frames_at));
    if (is_end) texts.emplace_back(kEndHeader, "1");
    return texts;
}

std::optional<MessageHeaders> parse_headers(const HeaderSource& value_of) {
    const char* const id_text = value_of(kIdHeader);
    if (id_text == nullptr) return std::nullopt;
    MessageHeaders headers;
    const auto id = parse_message_id(id_text);
    std::optional<std::uint64_t> piece;
    std::optional<std::uint64_t> rows;
    std::optional<std::uint64_t> of;
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    if (!id || !take_number(value_of(kPieceHeader), piece) || !take_number(value_of(kRowsHeader), rows) ||
        !take_number(value_of(kOfHeader), of) || !take_number(value_of(kFirstTimeHeader), first) ||
        !take_number(value_of(kLastTimeHeader), last)) {
        return std::nullopt;
    }
    if (piece && *piece != id->piece) return std::nullopt;
    if (first.has_value() != last.has_value() || (first && *first > *last)) return std::nullopt;
    headers.id = *id;
    if (first) headers.times = UtcInterval{*first, *last};
    headers.rows = rows.value_or(0);
    headers.frames_at = of.value_or(0);
    const char* const end = value_of(kEndHeader);
    headers.is_end = end != nullptr && std::string_view(end) == "1";
    return headers;
}

}  // namespace sla::fleet
