#include "viewer/fleet/fleet_losses.h"

#include "proto/base/how_many.h"
#include "proto/fleet/names.h"
#include "viewer/fleet/nats_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace sla::fleet {
namespace {

// The captures of one stream, and it as it was before they were looked at.
struct LookedAt {
    std::shared_ptr<const MessageStore> messages;
    std::shared_ptr<const StreamState> state;
    std::vector<RunEntry> runs;
};

std::vector<CaptureName> names_of(const std::string& fleet, const std::vector<RunEntry>& runs) {
    std::vector<CaptureName> names;
    for (const RunEntry& run : runs) names.push_back({fleet, run.shard, run.host, run.capture});
    return names;
}

// Mostly old captures are dropped: then newer ones, and those of which nothing is there, need no look. One question each.
std::vector<RunEntry> without_those_behind(const LookedAt& stream, const std::string& fleet,
                                           const std::function<bool()>& goes_on) {
    std::vector<MessageQuestion> questions;
    for (const CaptureName& name : names_of(fleet, stream.runs)) {
        const std::string subject = Subject{name.fleet, name.shard, name.host, name.capture, Kind::kSummary}.text();
        questions.push_back({MessageQuestion::What::kNext, subject, stream.state->first, {}});
    }
    std::vector<RunEntry> rest;
    const auto take = [&](std::size_t i, const Result<StoredMessage>& first) {
        const bool is_behind =
            first ? first->headers && std::max(first->headers->frames_at, stream.state->first) > stream.state->deleted.back()
                  : first.error().code == ErrorCode::kNotFound;
        if (!is_behind) rest.push_back(stream.runs[i]);
        return std::optional<MessageQuestion>();
    };
    static_cast<void>(stream.messages->ask_each(questions, take, kAnswerTime, goes_on));
    return rest;
}

Result<void> look_at(const LookedAt& stream, const std::string& fleet, const std::function<bool()>& goes_on,
                     std::vector<CaptureLosses>& losses) {
    const std::vector<RunEntry> runs = without_those_behind(stream, fleet, goes_on);
    auto catalogs = FleetCatalog::read(*stream.messages, names_of(fleet, runs), stream.state, goes_on);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!catalogs[i]) return catalogs[i].error();
        const auto index = catalogs[i]->take_index(published_of(runs[i]));
        if (!index && index.error().code == ErrorCode::kUnavailable) continue;  // nothing of it is there: it has expired
        if (!index) return index.error();
        const Missing missing = catalogs[i]->missing();
        if (missing.within > 0 || missing.lacks_end) losses.push_back({runs[i], missing});
    }
    return {};
}

}  // namespace

Result<std::vector<CaptureLosses>> losses_of(const std::shared_ptr<const Connection>& connection, const std::string& fleet,
                                             const std::vector<RunEntry>& runs, const std::function<bool()>& goes_on) {
    std::map<std::uint32_t, LookedAt> streams;
    for (const RunEntry& run : runs) {
        LookedAt& stream = streams[run.shard];
        stream.runs.push_back(run);
        if (stream.messages != nullptr) continue;
        stream.messages = std::make_shared<const NatsMessages>(connection, stream_name(fleet, run.shard));
        Result<StreamState> state = stream.messages->state();
        if (!state) return state.error();
        stream.state = std::make_shared<const StreamState>(std::move(*state));
    }
    std::vector<CaptureLosses> losses;
    for (const auto& [shard, stream] : streams) {
        if (stream.state->deleted.empty()) continue;
        if (Result<void> looked = look_at(stream, fleet, goes_on, losses); !looked) return looked.error();
        if (goes_on && !goes_on()) return unavailable("stopped while the captures were looked at");
    }
    std::sort(losses.begin(), losses.end(), [](const CaptureLosses& a, const CaptureLosses& b) {
        return std::tie(a.run.host, a.run.started_ns, a.run.capture) < std::tie(b.run.host, b.run.started_ns, b.run.capture);
    });
    return losses;
}

Result<bool> is_nothing_there(const std::shared_ptr<const Connection>& connection, const std::string& fleet,
                              const RunEntry& run) {
    const NatsMessages messages(connection, stream_name(fleet, run.shard));
    Result<StreamState> state = messages.state();
    if (!state) return state.error();
    auto catalogs =
        FleetCatalog::read(messages, names_of(fleet, {run}), std::make_shared<const StreamState>(std::move(*state)));
    if (!catalogs.front()) return catalogs.front().error();
    return catalogs.front()->is_empty();
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
