#include "viewer/archive/losses.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/analysis/selection.h"

#include <algorithm>
#include <limits>

namespace sla::archive {

namespace {

// What stands for channels that are not known.
constexpr ChannelId kExpiredChannel{std::numeric_limits<std::uint32_t>::max()};
constexpr SourceId kExpiredSource{std::numeric_limits<std::uint32_t>::max()};
constexpr const char* kExpiredChannelName = "sla.expired";
constexpr const char* kExpiredSourceName = "sla archive";

std::uint64_t take_away(std::uint64_t from, std::uint64_t number) {
    return from - std::min(from, number);
}

// Of a lane's rows behind that tick, with events that are known to be missing between them.
std::uint64_t events_between(const store::Lane& lane, std::uint64_t from, std::uint64_t until) {
    const std::uint64_t first = lane.lower_bound(from);
    const std::uint64_t last = std::max(first, lane.lower_bound(until));
    std::uint64_t events = lane.events_in(first, last);
    for (const store::Gap& gap : lane.gaps()) {
        const bool is_in = gap.index >= first && gap.index < last;
        if (is_in && gap.cause == wire::LossCause::kDamaged) events += gap.lost;
    }
    return events;
}

// Something of it is in a part already: what was published behind that is there, or among the channels' ordinals.
bool is_whole_since(const Lanes& lanes, std::uint64_t until_tick) {
    return std::any_of(lanes.begin(), lanes.end(),
                       [&](const store::Lane* lane) { return !lane->empty() && lane->first_tick() < until_tick; });
}

}  // namespace

Found found_in(const capture::CaptureIndex& index) {
    Found found;
    for (const capture::CaptureIndex::Lane& lane : index.lanes())
        found.channels[lane.channel] = {lane.summaries.front().first_index, lane.rows()};
    wire::Frame frame;
    for (const std::string& bytes : index.lasting()) {
        if (found.origin_tick) break;
        if (wire::parse_message(bytes, frame) && frame.has_hello()) found.origin_tick = frame.hello().start_tick();
    }
    return found;
}

Taken taken_before(const Manifest& manifest) {
    return manifest.taken ? *manifest.taken : Taken{manifest.rows() + manifest.lost(), {}};
}

std::uint64_t Missing::lost() const {
    std::uint64_t events = 0;
    for (const Loss& loss : losses) events += loss.events;
    return events;
}

Missing missing_in(const Manifest& manifest, const Found& found, const Lanes& lanes) {
    Missing missing;
    std::uint64_t known = taken_before(manifest).events;
    for (const store::Lane* lane : lanes) known += events_between(*lane, manifest.until_tick, store::kNever);
    const std::uint64_t unknown = take_away(found.published.value_or(0), known);
    if (manifest.parts.empty()) {
        for (const auto& [channel, ordinals] : found.channels) missing.before += ordinals.first;
        missing.before = std::max(missing.before, unknown);
        return missing;
    }
    std::vector<Loss> begun_late;  // channels of which nothing is in parts
    for (const store::Lane* lane : manifest.taken ? lanes : Lanes()) {
        const auto at = found.channels.find(lane->channel().id);
        if (at == found.channels.end() || lane->empty()) continue;
        const auto next = manifest.taken->next.find(lane->channel().id);
        const bool is_new = next == manifest.taken->next.end();
        const std::uint64_t gone = take_away(at->second.first, is_new ? 0 : next->second);
        if (gone == 0) continue;
        (is_new ? begun_late : missing.losses).push_back({lane, gone, lane->first_tick()});
    }
    const bool may_lack = found.is_over || !is_whole_since(lanes, manifest.until_tick);
    std::uint64_t rest = may_lack ? take_away(unknown, missing.lost()) : 0;
    for (Loss& loss : begun_late) {
        loss.events = std::min(loss.events, rest);
        rest -= loss.events;
        if (loss.events > 0) missing.losses.push_back(loss);
    }
    if (rest > 0) missing.losses.push_back({nullptr, rest, 0});
    return missing;
}

void take_rows(const Found& found, const Lanes& lanes, std::uint64_t from, std::uint64_t until, Taken& taken) {
    for (const store::Lane* lane : lanes) {
        taken.events += events_between(*lane, from, until);
        const auto at = found.channels.find(lane->channel().id);
        const std::uint64_t taken_rows = lane->lower_bound(until);
        if (at == found.channels.end() || taken_rows == 0) continue;
        std::uint64_t& next = taken.next[lane->channel().id];
        next = std::max(next, take_away(at->second.end, lane->size() - taken_rows));
    }
}

void take_losses(const Found& found, const std::vector<Loss>& losses, Taken& taken) {
    for (const Loss& loss : losses) {
        taken.events += loss.events;
        if (loss.lane == nullptr) continue;
        const ChannelId channel = loss.lane->channel().id;
        std::uint64_t& next = taken.next[channel];
        next = std::max(next, found.channels.at(channel).first);
    }
}

Result<formats::ParquetPart> write_losses(const store::Session& names, const std::vector<Loss>& losses, std::uint64_t tick,
                                          formats::Output& output) {
    store::Session session;
    session.set_origin(names.origin());
    for (const time::ClockSnapshot& snapshot : names.snapshots()) session.add_clock(0, snapshot);
    for (const auto& [id, source] : names.sources()) session.add_source(source);
    store::Source expired;
    expired.id = kExpiredSource;
    expired.name = kExpiredSourceName;
    session.add_source(expired);
    for (const Loss& loss : losses) {
        const store::Channel unknown{kExpiredChannel, kExpiredSource, kExpiredChannelName, ""};
        const std::uint64_t until = std::max(tick, loss.until_tick);
        session.add_channel(loss.lane == nullptr ? unknown : loss.lane->channel())
            .append_gap(tick, until, loss.events, 0, wire::LossCause::kLagged);
    }
    session.set_ended(tick, "");
    const auto selection = analysis::select(session, {});
    if (!selection.ok()) return selection.error();
    return formats::write_parquet_part(session, *selection, {}, output);
}

}  // namespace sla::archive
