// What things are called in a fleet: subjects, streams, buckets, the ids of messages. Both sides make and read them here.
//
//   subject      sla.v1.<fleet>.<shard>.<host>.<capture>.{frames,summary,index}
//   message id   <host>:<boot>-<key>:<capture>:<piece>:<sequence>:<kind>     the server drops the second of one id
//   stream       SLA_<fleet>_<shard>            all subjects below sla.v1.<fleet>.<shard>
//   buckets      SLA_<fleet>_hosts              the newest run of each host, and how the fleet was set up
//                SLA_<fleet>_captures           every run of an agent
//                SLA_<fleet>_shots              what each host kept of a shot of the fleet
//   beside them  sla.v1.<fleet>.{ping,control,shot}.<host>      what agents ask and send one another, in no stream
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::fleet {

// What a message holds: a chunk of frames, its summary, or an index of many.
enum class Kind : std::uint8_t { kFrames, kSummary, kIndex };
std::string_view word_of(Kind kind);
std::optional<Kind> parse_kind(std::string_view word);

// A word of a subject: 1 to 64 of A-Z a-z 0-9 _ -
inline constexpr std::size_t kMaxToken = 64;
bool is_token(std::string_view text);
// Any name as such a word: other characters become -, what is too long is cut; of nothing "unnamed".
std::string to_token(std::string_view name);

inline constexpr std::uint32_t kMaxShards = 1024;
// Of those who name none.
inline constexpr const char* kDefaultFleet = "default";

struct Subject {
    std::string fleet;
    std::uint32_t shard = 0;
    std::string host;
    std::string capture;
    Kind kind = Kind::kFrames;

    [[nodiscard]] std::string text() const;
    bool operator==(const Subject&) const = default;
};
std::optional<Subject> parse_subject(std::string_view text);

// One chunk of one piece, wherever and however often it was sent.
struct MessageId {
    std::string host;
    std::string boot;  // of the machine, another after every start; and a key (message_key) that no other user can foretell
    std::string capture;
    std::uint64_t piece = 0;     // from 1 on
    std::uint64_t sequence = 0;  // of the chunk in its piece
    Kind kind = Kind::kFrames;

    [[nodiscard]] std::string text() const;
    auto operator<=>(const MessageId&) const = default;
};
std::optional<MessageId> parse_message_id(std::string_view text);

std::string stream_name(std::string_view fleet, std::uint32_t shard);
// What a stream takes: "sla.v1.<fleet>.<shard>.>"
std::string subjects_of_shard(std::string_view fleet, std::uint32_t shard);
// All of one capture: "sla.v1.<fleet>.<shard>.<host>.<capture>.<kind>", kind "*" when none is given.
std::string subjects_of_capture(std::string_view fleet, std::uint32_t shard, std::string_view host, std::string_view capture,
                                std::optional<Kind> kind = std::nullopt);
// The shard that a host's captures go to; the same for ever.
std::uint32_t shard_of(std::string_view host, std::uint32_t shards);

std::string hosts_bucket(std::string_view fleet);
std::string captures_bucket(std::string_view fleet);
std::string shots_bucket(std::string_view fleet);
// Keys: of the hosts' bucket a host, or this one; of the captures' bucket host.capture; of the shots' bucket shot.host.
inline constexpr const char* kSettingsKey = "fleet.settings";
std::string capture_key(std::string_view host, std::string_view capture);
std::string shot_key(std::string_view shot, std::string_view host);

// What is said beside the streams: to a host (its clock is asked for, it is given orders), and by a host (it fired).
enum class Talk : std::uint8_t { kPing, kControl, kShot };
// "sla.v1.<fleet>.ping.<host>"; host "*": of all.
std::string talk_subject(std::string_view fleet, Talk talk, std::string_view host);
// The host in it; nothing when it is none of that fleet's.
std::optional<std::string> host_of_talk(std::string_view subject, std::string_view fleet, Talk talk);

}  // namespace sla::fleet
