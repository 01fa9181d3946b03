#include "viewer/ingest/remote/known_agents.h"

#include "proto/base/text.h"
#include "proto/common/tls/private_file.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::ingest {
namespace {

struct KnownAgent {
    std::string fingerprint;
    std::size_t line = 0;
};

Result<std::optional<KnownAgent>> find_agent(std::string_view text, const std::string& name, const std::string& path) {
    std::optional<KnownAgent> found;
    for (std::size_t number = 1; !text.empty(); number++) {
        std::string_view line = take_line(text);
        line = trimmed(line.substr(0, line.find('#')), " \t\r");
        if (line.empty()) continue;
        const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
        std::string fingerprint = wire::parse_fingerprint(trimmed(line.substr(space), " \t\r"));
        if (fingerprint.empty()) {
            return unavailable(
                "line " + std::to_string(number) + " of " + path +
                " is not HOST:PORT FINGERPRINT, so no agent can be told from another: mend it or take it out");
        }
        if (!found && line.substr(0, space) == name) found = KnownAgent{std::move(fingerprint), number};
    }
    return found;
}

}  // namespace

KnownAgents KnownAgents::of_this_user() {
    return KnownAgents(tls::config_file("known_agents"));
}

Result<std::string> KnownAgents::check(const wire::Address& address, const std::string& fingerprint) const {
    const std::string name = address.host_and_port();
    if (!address.fingerprint.empty()) {
        if (address.fingerprint == fingerprint) return std::string();
        return unavailable("the agent at tls:" + name + " is not the one that was named: its certificate's fingerprint is " +
                           fingerprint + ", not " + address.fingerprint);
    }
    if (path_.empty()) {
        return unavailable("there is no HOME to remember agents in: name its certificate, tls:" + name + "#" + fingerprint +
                           ", if that is its fingerprint");
    }
    // Two clients that see an agent first must not both believe what they are shown.
    const Result<tls::PrivateFileLock> lock = tls::PrivateFileLock::take(path_, "remember agents in");
    if (!lock) return lock.error();
    const Result<std::string> text = tls::read_private(path_, tls::Others::kMayRead);
    if (!text && text.error().code != ErrorCode::kNotFound) return text.error();
    const std::string held = text ? *text : "";
    const auto known = find_agent(held, name, path_);
    if (!known) return known.error();
    if (!*known) return remember(address, fingerprint, held);
    if ((*known)->fingerprint == fingerprint) return std::string();
    return unavailable("the certificate of tls:" + name + " has changed: its fingerprint was " + (*known)->fingerprint +
                       ", now it is " + fingerprint + ". Either the agent has a new one, or somebody else answers in its " +
                       "place: ask whoever runs it. If it is right, take out line " + std::to_string((*known)->line) +
                       " of " + path_);
}

Result<std::string> KnownAgents::remember(const wire::Address& address, const std::string& fingerprint,
                                          std::string_view text) const {
    std::string more(text);
    if (!more.empty() && more.back() != '\n') more += '\n';
    more += address.host_and_port() + " " + fingerprint + "\n";
    if (Result<void> written = tls::write_private(path_, more); !written) return written.error();
    return "tls:" + address.host_and_port() + " is met for the first time, the fingerprint of its certificate is " +
           fingerprint + ": hold it against what sla-agent said there. From now on no other will do (" + path_ + ")";
}

}  // namespace sla::ingest
