#include "viewer/ingest/open.h"

#include "proto/wire/address.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/stream_client.h"

namespace sla::ingest {

namespace {

Result<void> load_agent(const wire::Address& address, store::Session& session, const LoadOptions& options) {
    StreamOptions stream;
    stream.address = address;
    stream.client = options.client;
    stream.until_now = true;
    stream.status_only = options.status_only;
    stream.channels = options.channels;
    StreamClient client(stream);
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

Result<void> load(const std::string& target, store::Session& session, const LoadOptions& options) {
    if (target.empty()) return load_agent(wire::default_address(), session, options);
    if (!wire::looks_like_address(target)) {
        FileOptions file;
        file.on_damage = options.on_damage;
        file.progress = options.progress;
        return load_file(target, session, options.progress, file);
    }
    const auto address = wire::parse_address(target);
    if (!address.ok()) return address.error();
    return load_agent(*address, session, options);
}

}  // namespace sla::ingest
