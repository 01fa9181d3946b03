#include "proto/fleet/talk.h"

#include "proto/base/control_characters.h"
#include "proto/base/random_id.h"
#include "proto/fleet/names.h"
#include "proto/time/tick_rate.h"
#include "proto/wire/frame_codec.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <initializer_list>

namespace sla::fleet {
namespace {

constexpr std::int64_t kMaxErrorNs = std::int64_t{1000} * 3600 * 1'000'000'000;

template <typename Message>
std::optional<Message> read(std::string_view bytes) {
    Message message;
    if (bytes.size() > kMaxTalkBytes || !wire::parse_message(bytes, message)) return std::nullopt;
    return message;
}

bool are_short(std::initializer_list<const std::string*> texts) {
    for (const std::string* text : texts) {
        if (text->size() > kMaxTextBytes) return false;
    }
    return true;
}

bool is_window(std::int64_t ns) {
    return ns >= 0 && ns <= kMaxWindowNs;
}

}  // namespace

std::optional<Control> parse_control(std::string_view word) {
    if (word == "none") return Control::kNone;
    if (word == "shots") return Control::kShots;
    if (word == "all") return Control::kAll;
    return std::nullopt;
}

std::optional<Ping> parse_ping(std::string_view bytes) {
    return read<Ping>(bytes);
}

std::optional<Pong> parse_pong(std::string_view bytes) {
    auto pong = read<Pong>(bytes);
    const bool makes_sense = pong && are_short({&pong->host(), &pong->boot_id()}) &&
                             time::is_tick_rate(pong->ticks_per_second()) && pong->received() <= pong->answered() &&
                             pong->answered() <= kMaxTick;
    return makes_sense ? pong : std::nullopt;
}

std::optional<FleetShot> parse_shot(std::string_view bytes, std::string_view from) {
    auto shot = read<FleetShot>(bytes);
    if (!shot || shot->host() != from || !is_token(shot->id())) return std::nullopt;
    const bool has_texts =
        are_short({&shot->clock_host(), &shot->boot_id(), &shot->trigger(), &shot->what()}) && !shot->trigger().empty();
    const bool has_clock = time::is_tick_rate(shot->ticks_per_second()) && shot->tick() <= kMaxTick &&
                           shot->utc_error_ns() >= 0 && shot->utc_error_ns() <= kMaxErrorNs;
    const bool is_good = has_texts && has_clock && is_window(shot->pre_ns()) && is_window(shot->post_ns());
    if (!is_good) return std::nullopt;
    for (std::string* text : {shot->mutable_trigger(), shot->mutable_what()}) *text = without_control(std::move(*text), '?');
    return shot;
}

std::optional<ControlAnswer> parse_control_answer(std::string_view bytes) {
    auto answer = read<ControlAnswer>(bytes);
    if (!answer || !is_token(answer->host())) return std::nullopt;
    return answer;
}

std::int64_t now_utc_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string new_id(std::int64_t utc_ns) {
    constexpr std::int64_t kSecondNs = 1'000'000'000;
    const std::time_t seconds = utc_ns / kSecondNs;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:%Y%m%dT%H%M%S}-{:04x}", parts, random_id() & 0xffff);
}

}  // namespace sla::fleet
