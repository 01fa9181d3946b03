#include "agent/source/listening_socket.h"

#include <spdlog/spdlog.h>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace sla::source {

using boost::asio::ip::tcp;
using Unix = boost::asio::local::stream_protocol;
using Generic = boost::asio::generic::stream_protocol;
using boost::system::error_code;

namespace {

bool is_socket(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::symlink_status(path, ignored).type() == std::filesystem::file_type::socket;
}

Result<void> make_place(boost::asio::io_context& io, const std::string& path) {
    error_code error;
    Unix::socket probe(io);
    probe.connect(Unix::endpoint(path), error);
    if (!error) {
        return unavailable("somebody listens on " + path + " already: stop that agent first, or choose another address");
    }
    if (error != boost::asio::error::connection_refused) return {};
    if (!is_socket(path)) {  // any file refuses a connection
        return invalid_input("cannot listen on unix:" + path +
                             ": there is a file of that name that is no socket, and it stays; choose another address");
    }
    spdlog::info("replacing the stale socket {}", path);
    ::unlink(path.c_str());
    return {};
}

std::uint16_t port_of(const Generic::endpoint& there) {
    tcp::endpoint named;
    std::memcpy(named.data(), there.data(), std::min<std::size_t>(there.size(), named.capacity()));
    return named.port();
}

}  // namespace

Result<ListeningSocket> listen_on(boost::asio::io_context& io, const wire::Address& address, bool may_be_exposed) {
    const bool is_unix = address.family == wire::Address::Family::kUnix;
    ListeningSocket made{-1, address, false};
    Generic::endpoint at;
    error_code error;
    if (is_unix) {
        if (Result<void> free = make_place(io, address.path); !free) return free.error();
        at = Unix::endpoint(address.path);
    } else {
        if (address.host.empty()) made.bound.host = "127.0.0.1";
        tcp::resolver resolver(io);
        const auto found = resolver.resolve(made.bound.host, std::to_string(address.port), tcp::resolver::passive, error);
        if (!error) at = found.begin()->endpoint();
        made.is_exposed = !error && !found.begin()->endpoint().address().is_loopback();
    }
    if (made.is_exposed && !may_be_exposed) {
        return invalid_input("other machines can reach " + address.text() +
                             ", and whoever connects there reads everything that is recorded: reach the agent by ssh:HOST "
                             "instead, which needs nothing here, or say --insecure to let them look");
    }
    boost::asio::basic_socket_acceptor<Generic> listener(io);
    if (!error) listener.open(at.protocol(), error);
    if (!error && is_unix) ::fchmod(listener.native_handle(), 0600);  // so the file has it from its first moment
    if (!error && !is_unix) listener.set_option(boost::asio::socket_base::reuse_address(true), error);
    if (!error) listener.bind(at, error);
    if (!error) listener.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) return unavailable("cannot listen on " + address.text() + ": " + error.message());
    if (is_unix) ::chmod(address.path.c_str(), 0600);
    if (!is_unix) made.bound.port = port_of(listener.local_endpoint(error));
    made.fd = listener.release(error);
    return made;
}

}  // namespace sla::source
