#include "viewer/fleet/fleet_capture.h"

#include "proto/fleet/registry.h"
#include "proto/fleet/streams.h"
#include "viewer/fleet/ask_again.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/fleet/fleet_frames.h"
#include "viewer/fleet/nats_messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace sla::fleet {
namespace {

using capture::CaptureIndex;
using capture::CaptureStore;
using Store = std::shared_ptr<const CaptureStore>;

constexpr std::size_t kShownNames = 20;
constexpr auto kElectionTime = std::chrono::seconds(45);

class FleetCapture final : public CaptureStore {
public:
    FleetCapture(std::shared_ptr<const MessageStore> messages, std::shared_ptr<const FleetPlaces> places, CaptureIndex index)
        : messages_(std::move(messages)),
          places_(std::move(places)),
          index_(std::make_shared<const CaptureIndex>(std::move(index))) {}

    [[nodiscard]] const std::string& name() const override { return places_->text; }
    [[nodiscard]] std::uint64_t bytes() const override { return index_->file_bytes(); }
    [[nodiscard]] Result<CaptureIndex> index(const Progress& /*progress*/) const override { return *index_; }
    [[nodiscard]] Result<capture::ChunkReader> open_chunks() const override {
        return capture::ChunkReader(std::make_unique<FleetChunks>(messages_, places_));
    }
    [[nodiscard]] Result<capture::CaptureReader> open_frames() const override {
        capture::ChunkReader chunks(std::make_unique<FleetChunks>(messages_, places_));
        return capture::CaptureReader(std::make_unique<FleetFrames>(index_, std::move(chunks), places_->has_lost_names));
    }

private:
    std::shared_ptr<const MessageStore> messages_;
    std::shared_ptr<const FleetPlaces> places_;
    std::shared_ptr<const CaptureIndex> index_;
};

// "web-1, web-2 and 14 more"
std::string list(const std::set<std::string>& names) {
    std::set<std::string> shown;
    for (const std::string& name : names) {
        if (shown.size() == kShownNames) break;
        shown.insert(name);
    }
    std::string text = fmt::format("{}", fmt::join(shown, ", "));
    if (names.size() > shown.size()) text += fmt::format(" and {} more", names.size() - shown.size());
    return text;
}

// The run that the address names, of those in the registry; sorted by host, then begin.
Result<RunEntry> choose(const FleetAddress& address, const std::vector<RunEntry>& runs) {
    std::set<std::string> hosts;
    std::set<std::string> captures;
    const RunEntry* chosen = nullptr;
    for (const RunEntry& run : runs) {
        hosts.insert(run.host);
        if (!address.host.empty() && run.host != address.host) continue;
        captures.insert(run.capture);
        if (address.capture.empty() || run.capture == address.capture) chosen = &run;
    }
    const std::string text = address.text();
    if (hosts.empty()) return not_found(text + ": no host has published anything there");
    if (address.host.empty() && hosts.size() > 1) {
        return invalid_input(fmt::format("{} has {} hosts; name one of them behind it, as {}/{}: {}", text, hosts.size(),
                                         text, *hosts.begin(), list(hosts)));
    }
    if (captures.empty()) return not_found(fmt::format("{}: there is no such host; there are: {}", text, list(hosts)));
    if (chosen == nullptr)
        return not_found(fmt::format("{}: there is no such capture; there are: {}", text, list(captures)));
    return *chosen;
}

// Asks again during an election, which takes seconds.
template <typename Ask>
auto ask_patiently(const CaptureStore::Progress& progress, Ask ask) {
    return ask_until_answered(kElectionTime, ask, [&](const auto& answer) {
        return answer || answer.error().code != ErrorCode::kUnavailable || (progress && !progress(0));
    });
}

}  // namespace

Result<Store> open_messages(std::shared_ptr<const MessageStore> messages, const CaptureName& name, const std::string& text,
                            const CaptureStore::Progress& progress) {
    const auto goes_on = [&](std::size_t /*chunks*/) { return !progress || progress(0); };
    Result<FleetCatalog> catalog = FleetCatalog::read(*messages, name, goes_on);
    if (!catalog) return Error{catalog.error().code, text + ": " + catalog.error().message};
    Result<CaptureIndex> index = catalog->take_index();
    if (!index) return Error{index.error().code, text + ": " + index.error().message};
    auto places = std::make_shared<FleetPlaces>(FleetPlaces{text, name, catalog->addresses(), catalog->has_lost_names()});
    return Store(std::make_shared<FleetCapture>(std::move(messages), std::move(places), std::move(*index)));
}

Result<Store> open_fleet(const std::string& typed, const CaptureStore::Progress& progress) {
    const Result<FleetAddress> address = parse_fleet_address(typed);
    if (!address) return address.error();
    ConnectOptions options;
    options.servers = address->servers;
    options.client = "sla reader";
    Result<std::unique_ptr<Connection>> connection = Connection::open(options);
    if (!connection) return connection.error();
    const Result<FleetSettings> settings =
        ask_patiently(progress, [&] { return settings_of(**connection, address->fleet); });
    if (!settings) return settings.error();
    const auto runs = ask_patiently(progress, [&] { return runs_in(**connection, captures_bucket(address->fleet)); });
    if (!runs) return runs.error();
    const Result<RunEntry> run = choose(*address, *runs);
    if (!run) return run.error();
    FleetAddress whole = *address;
    whole.host = run->host;
    whole.capture = run->capture;
    auto messages = std::make_shared<NatsMessages>(std::shared_ptr<const Connection>(std::move(*connection)),
                                                   stream_name(address->fleet, run->shard));
    return open_messages(std::move(messages), {address->fleet, run->shard, run->host, run->capture}, whole.text(), progress);
}

}  // namespace sla::fleet
