// Why an agent could not be talked to, in words for people and with what helps. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <boost/system/error_code.hpp>

#include <string>

namespace sla::ingest {

inline std::string no_agent(const wire::Address& address, const std::string& why) {
    return "no agent answers at " + address.text() + " (" + why + "). Start one with: sla-agent";
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

}  // namespace sla::ingest
