// Keys of messages: what of a message's id no other user of the servers can foretell. The servers drop the second message of one id, so
// whoever knew the next ones could send them ahead, on a subject of his own, and the capture's own would be gone.
//
//   id    <host>:<boot>-<key>:<capture>:<piece>:<sequence>:<kind>        key = 32 digits of SHA-256(secret, id without it)
//
// The secret (tls::make_token) is made once a run and stays in its spool: sent again by whatever agent, a message has the same id.
#pragma once

#include "proto/fleet/names.h"

#include <string>

namespace sla::publish {

inline constexpr std::size_t kKeyDigits = 32;

// Of a run without a secret the id as it is.
fleet::MessageId with_key(fleet::MessageId id, const std::string& secret);

}  // namespace sla::publish
