// Sockets that the agent itself makes to listen on, for whoever asks there.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <boost/asio/io_context.hpp>

namespace sla::source {

struct ListeningSocket {
    int fd;               // of whoever asked for it
    wire::Address bound;  // with the port that was found for port 0
    bool is_exposed;      // other machines can reach it
};

// Of an address of this machine (no ssh). A stale Unix socket (nobody answers) is replaced; a live one and another file of that
// name are errors that say so. A Unix socket is this user's alone from its first moment.
Result<ListeningSocket> listen_on(boost::asio::io_context& io, const wire::Address& address, bool may_be_exposed);

}  // namespace sla::source
