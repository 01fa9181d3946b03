#include "viewer/ingest/open.h"

#include "proto/wire/address.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/remote/patience.h"
#include "viewer/ingest/stream_client.h"

#include <algorithm>

namespace sla::ingest {

namespace {

// A little more is asked for than is wanted: the clock is known better at the end.
constexpr std::int64_t kMarginPs = 10'000'000'000;  // 10 ms

std::uint64_t tick_of(const store::Session& names, std::int64_t ps) {
    return names.clock().to_tick(std::max<std::int64_t>(ps, 0));
}

Result<void> load_agent(const wire::Address& address, store::Session& session, const LoadOptions& options) {
    const auto stream = stream_for(address, options);
    if (!stream.ok()) return stream.error();
    StreamClient client(*stream);
    FrameApplier applier(session);
    client.start();
    while (!client.drained()) {
        client.wait(std::chrono::milliseconds(200));
        do {
            if (options.progress && !options.progress(-1)) return unavailable("stopped while the agent was read");
        } while (client.poll(applier, std::chrono::milliseconds(100)) > 0);
    }
    client.poll(applier, std::chrono::milliseconds(100));
    const StreamReport report = client.report();
    if (report.state == StreamState::kLost) return unavailable(report.message);
    return {};
}

}  // namespace

Result<StreamOptions> stream_for(const wire::Address& address, const LoadOptions& options) {
    StreamOptions stream;
    stream.address = address;
    stream.client = options.client;
    stream.until_now = true;
    stream.status_only = options.status_only;
    stream.channels = options.channels;
    if (!options.from_ps && !options.until_ps) return stream;
    store::Session names;
    const auto goes_on = [&] { return !options.progress || options.progress(-1); };
    if (auto loaded = load_names(address, options.client, names, goes_on); !loaded.ok()) return loaded.error();
    if (options.from_ps) stream.from_tick = tick_of(names, *options.from_ps - kMarginPs);
    if (options.until_ps) stream.until_tick = tick_of(names, *options.until_ps + kMarginPs);
    return stream;
}

Result<std::uint64_t> history_from(const wire::Address& address, const std::string& client, std::int64_t from_ps,
                                   const std::function<bool()>& goes_on) {
    store::Session names;
    if (auto loaded = load_names(address, client, names, goes_on); !loaded.ok()) return loaded.error();
    return tick_of(names, from_ps - kMarginPs);
}

Result<void> load_names(const wire::Address& address, const std::string& client, store::Session& session,
                        const std::function<bool()>& goes_on, std::chrono::milliseconds timeout) {
    StreamOptions options;
    options.address = address;
    options.client = client;
    options.status_only = true;
    StreamClient stream(options);
    FrameApplier applier(session);
    stream.start();
    if (address.family == wire::Address::Family::kSsh) timeout = std::max(timeout, kSshTimeout);
    const auto until = std::chrono::steady_clock::now() + timeout;
    while (!session.health().known && !stream.drained()) {
        if (!goes_on()) return unavailable("stopped while the agent was read");
        if (std::chrono::steady_clock::now() > until)
            return unavailable("the agent at " + address.text() + " did not report its state in time");
        stream.wait(std::chrono::milliseconds(50));
        stream.poll(applier, std::chrono::milliseconds(50));
    }
    if (session.health().known) return {};
    const StreamReport report = stream.report();
    return unavailable(report.state == StreamState::kLost ? report.message : "the agent ended before it told how it is");
}

Result<void> load(const std::string& target, store::Session& session, const LoadOptions& options) {
    if (target.empty()) return load_agent(wire::default_address(), session, options);
    if (!wire::looks_like_address(target)) {
        FileOptions file;
        file.on_damage = options.on_damage;
        file.on_remark = options.on_remark;
        file.progress = options.progress;
        if (!fleet::is_fleet_address(target)) file.rows_in_memory = options.rows_in_memory;
        return load_file(target, session, options.progress, file);
    }
    const auto address = wire::parse_address(target);
    if (!address.ok()) return address.error();
    return load_agent(*address, session, options);
}

std::vector<std::string> damage_lines(const store::Session& session) {
    constexpr std::size_t kShown = 5;
    std::vector<std::string> lines;
    for (const store::Note& note : session.notes()) {
        if (note.damage && lines.size() < kShown) lines.push_back("damage: " + note.text);
    }
    if (session.damage_count() > kShown)
        lines.push_back("damage: and " + std::to_string(session.damage_count() - kShown) + " more like these");
    return lines;
}

}  // namespace sla::ingest
