// sla relay: standard input and output are a client of the agent on this machine. What ssh:HOST starts on HOST.
#include "viewer/cli/commands/relay.h"
#include "proto/wire/address.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace sla::cli {

namespace {

Result<int> connect_to(const std::string& path) {
    sockaddr_un name{};
    if (path.size() >= sizeof name.sun_path) return invalid_input("a socket's path may not be as long as '" + path + "'");
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return system_error("cannot make a socket", errno);
    if (connect(fd, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return fd;
    const int reason = errno;
    close(fd);
    if (reason == ENOENT || reason == ECONNREFUSED) {
        return unavailable("no agent listens on " + path + " on this machine: start sla-agent there, or name its socket");
    }
    return system_error("cannot reach the agent on " + path, reason);
}

int run_relay(const std::string& path) {
    if (isatty(STDIN_FILENO) == 1) {
        return complain(
            invalid_input("relay is for ssh, which speaks the agent's language: write ssh:HOST where an address goes"));
    }
    const auto agent = connect_to(path.empty() ? wire::default_address().path : path);
    if (!agent.ok()) return complain(agent.error());
    const auto relayed = relay(STDIN_FILENO, STDOUT_FILENO, *agent, [] { return interrupted() == 0; });
    close(*agent);
    return relayed.ok() ? kDone : complain(relayed.error());
}

}  // namespace

void add_relay(common::Command& app) {
    common::Command& command =
        app.add_command("relay", "Standard input and output as a client of this machine's agent, for ssh:HOST");
    auto path = std::make_shared<std::string>();
    command.add_option("path", *path, "The agent's socket; default: this user's").value_name("PATH");
    command.footer("Started on the other machine by ssh:[USER@]HOST[:PATH], which goes wherever an address does.");
    command.action([=] { return run_relay(*path); });
}

}  // namespace sla::cli
