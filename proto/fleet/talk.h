// What agents say to one another beside the streams, and those who control them: made and read here, by both sides. What comes
// from outside is nothing when it makes no sense; no text in it is long.
//
//   Ping, Pong       "what does your clock show?"      sla.v1.<fleet>.ping.<host>      answered
//   FleetShot        "I fired; keep your window"       sla.v1.<fleet>.shot.<host>      not answered
//   wire::Request    "set this trigger"                sla.v1.<fleet>.control.<host>   answered by ControlAnswer
#pragma once

#include "proto/fleet/fleet.pb.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::fleet {

inline constexpr std::size_t kMaxTalkBytes = 8192;                                     // of any of these, but
inline constexpr std::size_t kMaxControlBytes = 64 * 1024;                             // of a request, as on a socket
inline constexpr std::size_t kMaxTextBytes = 1000;                                     // of any text in them
inline constexpr std::int64_t kMaxWindowNs = std::int64_t{24} * 3600 * 1'000'000'000;  // before and after a shot, each

// A stamp has so many bits (ring_abi.h).
inline constexpr std::uint64_t kMaxTick = (std::uint64_t{1} << 60) - 1;

// Whom an agent listens to: more at each step.
enum class Control : std::uint8_t {
    kNone,   // nobody: others' shots are none of its own
    kShots,  // other hosts' shots make it keep a window too
    kAll,    // and it takes switches, filters, limits and triggers from the fleet
};
// "none", "shots", "all".
std::optional<Control> parse_control(std::string_view word);

std::optional<Ping> parse_ping(std::string_view bytes);
std::optional<Pong> parse_pong(std::string_view bytes);
// `from`: the host whose subject it came on.
std::optional<FleetShot> parse_shot(std::string_view bytes, std::string_view from);
std::optional<ControlAnswer> parse_control_answer(std::string_view bytes);

// "20261124T164501-9f3a": of captures and shots.
std::string new_id(std::int64_t utc_ns);
// This machine's clock: what ids and entries are stamped with.
std::int64_t now_utc_ns();

}  // namespace sla::fleet
