// Who a client is, by the way it came in; what each may do stands in README.md.
#pragma once

#include <cstdint>

namespace sla::stream {

enum class Role : std::uint8_t {
    kOwner,       // the same user, over a Unix socket that is this user's alone
    kLocal,       // somebody on this machine
    kLooker,      // somebody, anywhere, who may look
    kController,  // somebody who showed over TLS that he may control
};

}  // namespace sla::stream
