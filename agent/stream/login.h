// What the first bytes of a client over TLS say about it. Pure: bytes in, verdict out.
#pragma once

#include "agent/stream/access_list.h"

#include <optional>
#include <string>
#include <string_view>

namespace sla::stream {

inline constexpr std::size_t kMaxLoginBytes = 4096;

struct LoginVerdict {
    enum class What { kMore, kAdmitted, kRefused };
    What what = What::kMore;
    AccessEntry entry;     // of who was admitted
    std::size_t used = 0;  // of the bytes, by the login itself; the rest is for the session
    std::string why;       // refused, for the client
};

// `received`: all bytes so far. `certificate`: the fingerprint of what the client showed; empty: nothing. A token, when
// one is sent, decides alone; without one the certificate does, and the first request is the session's.
LoginVerdict judge_login(std::string_view received, const std::string& certificate, const AccessList& access);

// What came instead of TLS: the answer in the language that it may be.
bool begins_like_tls(std::string_view first_bytes);
std::string answer_in_plain(std::string_view first_bytes);

}  // namespace sla::stream
