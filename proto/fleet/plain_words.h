// What libnats says of a connection that could not be made, for people. Private to the room.
#pragma once

#include <string>
#include <string_view>

namespace sla::fleet {

// "(conn.c:733): SSL handshake error: 10:certificate has expired:depth=0" without the place in libnats' source.
std::string plain_words(std::string_view said);

// What to do about a connection over TLS of which that was said; empty: that is not known. `shows_certificate`: one of its own.
std::string advice_on_tls(std::string_view said, bool shows_certificate);

}  // namespace sla::fleet
