#include "viewer/fleet/fleet_catalog.h"

#include "proto/capture/chunk.h"
#include "proto/capture/file_format.h"
#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/lane_rows.h"
#include "proto/fleet/fleet.pb.h"
#include "proto/fleet/names.h"
#include "proto/wire/frame_codec.h"
#include "viewer/fleet/catalog_reading.h"
#include "viewer/fleet/message_chunk.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sla::fleet {
namespace {

using capture::ChunkKind;

}  // namespace

void FleetCatalog::add(std::uint64_t piece, Entry entry) {
    entry.detail.cells = {};
    entry.detail.open = {};
    const ChunkKey key{piece, entry.detail.place.sequence};
    chunks_.try_emplace(key, std::move(entry));
}

bool FleetCatalog::take_index_message(const StoredMessage& message) {
    FleetIndex body;
    if (!is_of(name_, message, Kind::kIndex) || !wire::parse_message(message.body, body)) return false;
    if (body.chunk().empty()) return body.frames_at().empty() && body.summaries_at().empty();
    const MessageId& id = message.headers->id;
    std::string raw;
    capture::Index index;
    if (!unpack_chunk(body.chunk(), ChunkKind::kIndex, id.sequence, raw) || !wire::parse_message(raw, index)) return false;
    const int count = index.chunks_size();
    std::vector<capture::ChunkDetail> details;
    if (body.frames_at_size() != count || body.summaries_at_size() != count || !decode_index(index, details)) return false;
    std::vector<Entry> entries(static_cast<std::size_t>(count));
    std::uint64_t from = message.sequence;
    for (int i = 0; i < count; ++i) {
        Entry& entry = entries[static_cast<std::size_t>(i)];
        entry.detail = std::move(details[static_cast<std::size_t>(i)]);
        if (entry.detail.place.sequence >= id.sequence) return false;
        entry.frames_at = body.frames_at(i);
        entry.summary_at = body.summaries_at(i);
        if (std::max(entry.frames_at, entry.summary_at) >= message.sequence) return false;
        if (entry.frames_at != 0) from = std::min(from, entry.frames_at);
    }
    for (Entry& entry : entries) add(id.piece, std::move(entry));
    if (message.headers->is_end) complete_pieces_.insert(id.piece);
    const ChunkKey key{id.piece, id.sequence};
    if (newest_index_ < key) {
        newest_index_ = key;
        newest_index_from_ = from;
    }
    return true;
}

bool FleetCatalog::take_summary(const StoredMessage& message) {
    if (!is_of(name_, message, Kind::kSummary)) return false;
    const MessageId& id = message.headers->id;
    std::string raw;
    capture::ChunkSummary summary;
    Entry entry;
    if (!unpack_chunk(message.body, ChunkKind::kSummary, id.sequence, raw) || !wire::parse_message(raw, summary))
        return false;
    if (!decode_detail(summary, entry.detail) || entry.detail.place.sequence >= id.sequence) return false;
    entry.frames_at = message.headers->frames_at;
    entry.summary_at = message.sequence;
    if (entry.frames_at >= message.sequence) return false;
    add(id.piece, std::move(entry));
    return true;
}

// A chunk that the newest index does not list was sent behind the first one that it does.
std::uint64_t FleetCatalog::first_uncovered() const {
    return is_index_damaged_ || newest_index_from_ == 0 ? state_->first : newest_index_from_;
}

void FleetCatalog::take(Kind kind, const StoredMessage& message) {
    if (kind == Kind::kIndex ? take_index_message(message) : take_summary(message)) return;
    is_index_damaged_ = is_index_damaged_ || kind == Kind::kIndex;
    note_damage(message.sequence,
                fmt::format("message {} of the stream is no {} of this capture", message.sequence, word_of(kind)), true);
}

// An index that is gone leaves its summaries. One look where nothing is: rare, as after what has expired.
std::vector<FleetCatalog::Stretch> FleetCatalog::unlisted() const {
    const std::uint64_t until = first_uncovered();
    std::vector<Stretch> stretches;
    std::uint64_t reached = state_->first;
    bool follows_on = !chunks_.empty() && chunks_.begin()->first == ChunkKey{1, 0};
    for (auto next = chunks_.begin(); next != chunks_.end();) {
        const auto at = next++;
        const std::uint64_t place = at->second.frames_at;
        if (!follows_on && place > reached) stretches.push_back({Kind::kSummary, reached, std::min(place, until)});
        if (place >= until) break;
        reached = std::max(reached, place + 1);
        follows_on = next == chunks_.end() || follows(at->first, ends_piece(at), next->first);
    }
    return stretches;
}

std::vector<Result<FleetCatalog>> FleetCatalog::read(const MessageStore& store, std::vector<CaptureName> names,
                                                     const std::shared_ptr<const StreamState>& state,
                                                     const std::function<bool()>& goes_on) {
    std::vector<CatalogReading> readings;
    std::vector<MessageQuestion> questions;
    for (CaptureName& name : names) {
        readings.emplace_back(std::move(name), state);
        questions.push_back(*readings.back().begin());
    }
    const auto more = [&](std::size_t i, Result<StoredMessage> answer) { return readings[i].take(std::move(answer)); };
    const bool is_whole = store.ask_each(questions, more, kAnswerTime, goes_on);
    std::vector<Result<FleetCatalog>> catalogs;
    for (CatalogReading& reading : readings) {
        if (is_whole) catalogs.push_back(reading.catalog());
        if (!is_whole) catalogs.emplace_back(unavailable("stopped while the capture was opened"));
    }
    return catalogs;
}

}  // namespace sla::fleet
