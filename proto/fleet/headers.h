// The headers of a message. A headers-only consumer has a cheap index of all that was published.
//
//   Nats-Msg-Id   the message's id          Sla-Of    of a summary: where its frames are in the stream
//   Sla-Piece     number of the piece       Sla-N     rows
//   Sla-T0 -T1    UTC ns of the first and last tick, as the clock was known then; not there when there is no row
//   Sla-End       "1": this index is the last message of its piece
#pragma once

#include "proto/fleet/names.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sla::fleet {

inline constexpr const char* kIdHeader = "Nats-Msg-Id";
inline constexpr const char* kPieceHeader = "Sla-Piece";
inline constexpr const char* kFirstTimeHeader = "Sla-T0";
inline constexpr const char* kLastTimeHeader = "Sla-T1";
inline constexpr const char* kRowsHeader = "Sla-N";
inline constexpr const char* kOfHeader = "Sla-Of";
inline constexpr const char* kEndHeader = "Sla-End";

struct UtcInterval {
    std::int64_t first_ns = 0;
    std::int64_t last_ns = 0;
    bool operator==(const UtcInterval&) const = default;
};

struct MessageHeaders {
    MessageId id;
    std::optional<UtcInterval> times;
    std::uint64_t rows = 0;
    std::uint64_t frames_at = 0;  // of a summary; 0: not said
    bool is_end = false;          // of its piece

    // Names and values, in the order above.
    [[nodiscard]] std::vector<std::pair<const char*, std::string>> texts() const;
    bool operator==(const MessageHeaders&) const = default;
};

// The value of a header of that name, or null.
using HeaderSource = std::function<const char*(const char* name)>;
// Of a message from outside; nothing when it is none of ours.
std::optional<MessageHeaders> parse_headers(const HeaderSource& value_of);

}  // namespace sla::fleet
