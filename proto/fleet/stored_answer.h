// A message that a stream has stored, as JetStream is asked for it, and how it answers. Reads bytes from outside; without I/O.
//
//   of the leader      what is newest of a subject        JSON, the message in base64
//   of any server      by its sequence; of a subject      the message itself, its place in its headers
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/headers.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::fleet {

struct StreamQuestion {
    std::string subject;
    std::string body;
};
// The newest message of that subject, as the stream's leader knows.
StreamQuestion ask_newest(const std::string& stream, const std::string& subject);
// Of any server that has it: that message; the first one of that subject from there on.
StreamQuestion ask_message(const std::string& stream, std::uint64_t sequence);
StreamQuestion ask_next(const std::string& stream, const std::string& subject, std::uint64_t from);

struct NewestMessage {
    std::uint64_t sequence = 0;
    std::string body;
};
// Of an answer to ask_newest(). kNotFound: there is none.
Result<NewestMessage> parse_newest(std::string_view json);

// Says it; that of the server stands last.
inline constexpr const char* kPlaceHeader = "Nats-Sequence";
// Of an answer of any server: where the message is in the stream. kNotFound: there is none, or that server has not got it yet.
Result<std::uint64_t> place_of_answer(const HeaderSource& value_of);

}  // namespace sla::fleet
