#include "viewer/cli/text/agent_status.h"

#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/glob_list.h"
#include "viewer/analysis/known_extents.h"
#include "viewer/analysis/selection.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/ingest/open.h"

#include <algorithm>

namespace sla::cli {

Result<void> ask_for_status(const wire::Address& address, const std::string& client, std::chrono::milliseconds timeout,
                            store::Session& session) {
    const auto until = std::chrono::steady_clock::now() + timeout;
    bool late = false;
    ingest::LoadOptions options;
    options.client = client;
    options.status_only = true;
    options.progress = [&](double) {
        late = std::chrono::steady_clock::now() >= until;
        return !late && interrupted() == 0;
    };
    const auto loaded = ingest::load(address.text(), session, options);
    if (!loaded.ok() && !late) return loaded;
    if (!session.health().known) return unavailable("the agent at " + address.text() + " did not report its state in time");
    return {};
}

std::optional<std::vector<AgentChannel>> channels_of(const wire::Address& address, const std::string& client) {
    store::Session session;
    if (!ingest::load_names(address, client, session, [] { return interrupted() == 0; }).ok()) return std::nullopt;
    std::vector<AgentChannel> channels;
    for (const store::Lane* lane : session.lanes()) {
        const store::Source* const source = session.source_of(*lane);
        const bool is_of_kernel = source != nullptr && source->kind == store::SourceKind::kHost;
        channels.push_back({lane->channel().name, is_of_kernel});
    }
    return channels;
}

std::vector<Error> unknown_channels(const std::vector<AgentChannel>& channels, const std::vector<std::string>& globs) {
    std::vector<std::string> names;
    for (const AgentChannel& channel : channels) names.push_back(channel.name);
    std::vector<Error> unknown;
    for (const std::string& glob : globs) {
        const bool known =
            std::any_of(names.begin(), names.end(), [&](const std::string& name) { return wire::glob_match(glob, name); });
        if (!known) unknown.push_back(analysis::unknown_channel(glob, names));
    }
    return unknown;
}

void warn_of_unknown(const std::vector<AgentChannel>& channels, const std::vector<std::string>& globs) {
    for (const Error& error : unknown_channels(channels, globs)) warn(error.message + "; one that comes later is meant too");
}

void warn_of_unfiltered(const std::vector<AgentChannel>& channels, const std::vector<std::string>& globs) {
    std::vector<std::string> names;
    for (const auto& [name, is_of_kernel] : channels) {
        if (is_of_kernel && wire::any_glob_matches(globs, name)) names.push_back(name);
    }
    if (names.empty()) return;
    const std::string more = names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "";
    warn("the filter does not reach " + names[0] + more +
         ": events of the kernel are filtered where they are switched on, as in sla-agent --linux 'EVENT if FILTER'");
}

namespace {

constexpr double kLongestShown = 9e18;

std::string duration(double ps) {
    return time::format_duration(static_cast<std::int64_t>(std::min(ps, kLongestShown)));
}

}  // namespace

std::string channel_state(const store::Session& session, const store::Lane& lane, const store::Ledger& ledger) {
    std::string text = ledger.off ? "off" : ledger.filter;
    if (!ledger.capped) return text;
    const std::string wanted = duration(static_cast<double>(ledger.keep_ns) * time::kPicosecondsPerNanosecond);
    text += text.empty() ? "memory full: " : "; memory full: ";
    if (analysis::has_own_time(session, lane)) return text + "less kept than " + wanted;  // a status says no own time
    const store::Health& health = session.health();
    double held = 0;
    if (ledger.retained_from_tick > 0 && ledger.retained_from_tick < health.tick && health.ticks_per_second > 0) {
        held = static_cast<double>(health.tick - ledger.retained_from_tick) / health.ticks_per_second *
               time::kPicosecondsPerSecond;
    }
    return text + duration(held) + " kept of " + wanted;
}

}  // namespace sla::cli
