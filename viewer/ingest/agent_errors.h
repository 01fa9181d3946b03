// Why an agent could not be talked to, in words for people and with what helps. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <sys/un.h>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/system/error_code.hpp>

#include <string>

namespace sla::ingest {

inline std::string no_agent(const wire::Address& address, const std::string& why) {
    const std::string where = "no agent answers at " + address.text() + " (" + why + "). ";
    if (address.text() == wire::default_address().text()) return where + "Start one with: sla-agent";
    if (address.family == wire::Address::Family::kSsh) return where + "Start one there with: sla-agent";
    return where + "One answers there if it was started so: sla-agent --listen " + address.text();
}

inline std::string no_agent(const wire::Address& address, const boost::system::error_code& why) {
    if (why == boost::system::errc::permission_denied)
        return "the agent at " + address.text() + " belongs to somebody else: permission denied";
    return no_agent(address, why.message());
}

// The kernel takes connections for one that is stopped, too.
inline std::string silent_agent(const wire::Address& address) {
    return "the agent at " + address.text() +
           " takes connections but says nothing: it is stopped, or the machine has no time for it";
}

// A long runtime directory makes paths that no socket can have.
inline Result<boost::asio::local::stream_protocol::endpoint> unix_endpoint(const std::string& path) {
    constexpr std::size_t kMostBytes = sizeof(sockaddr_un::sun_path) - 1;
    if (path.size() <= kMostBytes) return boost::asio::local::stream_protocol::endpoint(path);
    return invalid_input("the path of the agent's socket is too long (" + std::to_string(path.size()) + " bytes, at most " +
                         std::to_string(kMostBytes) + "): " + path + "; set SLA_RUNTIME_DIR to a shorter directory");
}

}  // namespace sla::ingest
