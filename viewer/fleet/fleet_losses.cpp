#include "viewer/fleet/fleet_losses.h"

#include "proto/base/how_many.h"
#include "proto/fleet/names.h"
#include "viewer/fleet/at_once.h"
#include "viewer/fleet/nats_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace sla::fleet {
namespace {

constexpr std::size_t kCapturesAtOnce = 16;

struct LookedAt {
    std::shared_ptr<const MessageStore> messages;
    StreamState state;
};

// Mostly old captures are dropped: then newer ones need no look. One question.
bool is_behind_all_deleted(const LookedAt& stream, const CaptureName& name) {
    const std::string subject = Subject{name.fleet, name.shard, name.host, name.capture, Kind::kSummary}.text();
    const Result<StoredMessage> first = stream.messages->next(subject, stream.state.first);
    if (!first) return first.error().code == ErrorCode::kNotFound;  // nothing of it is there
    return first->headers && std::max(first->headers->frames_at, stream.state.first) > stream.state.deleted.back();
}

Result<Missing> missing_of(const LookedAt& stream, const std::string& fleet, const RunEntry& run,
                           const std::function<bool()>& goes_on) {
    const CaptureName name{fleet, run.shard, run.host, run.capture};
    if (is_behind_all_deleted(stream, name)) return Missing{};
    Result<FleetCatalog> catalog =
        FleetCatalog::read(*stream.messages, name, stream.state, [&](std::size_t /*chunks*/) { return goes_on(); });
    if (!catalog) return catalog.error();
    const auto index = catalog->take_index(published_of(run));
    if (!index && index.error().code != ErrorCode::kUnavailable) return index.error();
    return index ? catalog->missing() : Missing{};  // nothing of it is there: it has expired
}

}  // namespace

Result<std::vector<CaptureLosses>> losses_of(const std::shared_ptr<const Connection>& connection, const std::string& fleet,
                                             const std::vector<RunEntry>& runs, const std::function<bool()>& goes_on) {
    std::map<std::uint32_t, LookedAt> streams;
    for (const RunEntry& run : runs) {
        if (streams.contains(run.shard)) continue;
        auto messages = std::make_shared<const NatsMessages>(connection, stream_name(fleet, run.shard));
        Result<StreamState> state = messages->state();
        if (!state) return state.error();
        streams.emplace(run.shard, LookedAt{std::move(messages), std::move(*state)});
    }
    std::vector<std::optional<Result<Missing>>> found(runs.size());
    const bool is_whole = each_at_once(runs.size(), kCapturesAtOnce, goes_on, [&](std::size_t i, const auto& more) {
        const LookedAt& stream = streams.at(runs[i].shard);
        if (!stream.state.deleted.empty()) found[i] = missing_of(stream, fleet, runs[i], more);
    });
    if (!is_whole) return unavailable("stopped while the captures were looked at");
    std::vector<CaptureLosses> losses;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!found[i]) continue;
        if (!*found[i]) return found[i]->error();
        const Missing& missing = **found[i];
        if (missing.within > 0 || missing.lacks_end) losses.push_back({runs[i], missing});
    }
    return losses;
}

std::string in_words(const CaptureLosses& losses) {
    const std::uint64_t events = losses.missing.within + losses.missing.at_end;
    const bool is_sum = !losses.missing.lacks_end || losses.missing.at_end > 0;
    const std::string what = events == 0 ? "events of its end"
                             : is_sum    ? how_many(events, "event")
                                         : how_many(events, "event") + " and more of its end";
    return fmt::format("'{}', capture {}: the stream lacks {} that had been published", losses.run.host, losses.run.capture,
                       what);
}

}  // namespace sla::fleet
