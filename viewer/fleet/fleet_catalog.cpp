#include "viewer/fleet/fleet_catalog.h"

#include "proto/capture/chunk.h"
#include "proto/capture/file_format.h"
#include "proto/capture/index_assembler.h"
#include "proto/capture/pieces/index_join.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/lane_rows.h"
#include "proto/fleet/fleet.pb.h"
#include "proto/fleet/names.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/fleet/ask_again.h"
#include "viewer/fleet/message_chunk.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <unordered_set>

namespace sla::fleet {
namespace {

using capture::ChunkKind;

constexpr std::size_t kMaxDamages = 1000;
constexpr std::uint64_t kEntryBudget = std::uint64_t{1} << 40;  // bounded by the messages that came

constexpr std::chrono::seconds kReplicaTime{15};  // as for any answer

// The next one, waited for as long as the leader has it and a replica that lags behind says that it is not there.
Result<StoredMessage> next_there(const MessageStore& store, const std::string& subject, std::uint64_t from,
                                 Result<std::uint64_t>& newest, const std::function<bool()>& goes_on) {
    const auto is_answer = [&](const Result<StoredMessage>& message) {
        if (message || message.error().code != ErrorCode::kNotFound) return true;
        if (newest && *newest >= from) newest = store.newest(subject);  // or has it expired?
        return !newest || *newest < from || !goes_on();
    };
    Result<StoredMessage> message = ask_until_answered(
        kReplicaTime, [&] { return store.next(subject, from); }, is_answer);
    if (message || message.error().code != ErrorCode::kNotFound) return message;
    if (!newest) return newest.error();
    if (*newest >= from) return unavailable("the server that answers lags behind the stream's leader");
    return message;
}

bool says_hello(const std::vector<std::string>& frames) {
    wire::Frame frame;
    return std::any_of(frames.begin(), frames.end(),
                       [&](const std::string& bytes) { return wire::parse_message(bytes, frame) && frame.has_hello(); });
}

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
    return is_index_damaged_ || newest_index_from_ == 0 ? first_sequence_ : newest_index_from_;
}

Result<void> FleetCatalog::read_kind(const MessageStore& store, Kind kind, std::uint64_t from,
                                     const std::function<bool(std::size_t)>& progress) {
    const std::string subject = Subject{name_.fleet, name_.shard, name_.host, name_.capture, kind}.text();
    Result<std::uint64_t> newest = store.newest(subject);
    const auto goes_on = [&] { return !progress || progress(chunks_.size()); };
    for (;;) {
        const Result<StoredMessage> message = next_there(store, subject, from, newest, goes_on);
        if (!message && message.error().code == ErrorCode::kNotFound) return {};
        if (!message) return message.error();
        if (message->sequence < from) return damaged("the cluster answers with another message than it was asked for");
        const bool is_sound = kind == Kind::kIndex ? take_index_message(*message) : take_summary(*message);
        if (!is_sound) {
            is_index_damaged_ = is_index_damaged_ || kind == Kind::kIndex;
            const std::string what =
                fmt::format("message {} of the stream is no {} of this capture", message->sequence, word_of(kind));
            if (damage_.size() < kMaxDamages) damage_.push_back({message->sequence, 0, what, {}, {}, true});
        }
        if (!goes_on()) return unavailable("stopped while the capture was opened");
        from = message->sequence + 1;
    }
}

Result<FleetCatalog> FleetCatalog::read(const MessageStore& store, const CaptureName& name, std::uint64_t first,
                                        const std::function<bool(std::size_t)>& progress) {
    FleetCatalog catalog(name);
    catalog.first_sequence_ = first;
    Result<void> done = catalog.read_kind(store, Kind::kIndex, first, progress);
    if (done) done = catalog.read_kind(store, Kind::kSummary, catalog.first_uncovered(), progress);
    if (!done) return done.error();
    return catalog;
}

// Of a piece that an agent left in a hurry only its index says that it is complete.
bool FleetCatalog::ends_piece(std::map<ChunkKey, Entry>::const_iterator chunk) const {
    const auto& lasting = chunk->second.detail.lasting;
    if (std::any_of(lasting.begin(), lasting.end(), [](const std::string& one) { return capture::is_end_frame(one); }))
        return true;
    const auto next = std::next(chunk);
    return complete_pieces_.contains(chunk->first.piece) && next != chunks_.end() && next->first.piece != chunk->first.piece;
}

// Between two that are there: it is lost, or an agent has not sent it yet. What has expired is another matter.
void FleetCatalog::note_missing_chunks() {
    for (auto next = chunks_.begin(); next != chunks_.end();) {
        const auto at = next++;
        const std::uint64_t place = at->second.frames_at;
        const bool has_expired = place != 0 && place < first_sequence_;
        if (next == chunks_.end() || has_expired || next->first.piece > at->first.piece + 1) continue;
        if (follows(at->first, ends_piece(at), next->first) || damage_.size() >= kMaxDamages) continue;
        damage_.push_back(
            {next->second.frames_at,
             0,
             fmt::format("what lies between chunk {} of piece {} and chunk {} of piece {} is not in the stream",
                         at->first.sequence, at->first.piece, next->first.sequence, next->first.piece),
             {},
             {},
             false});
    }
}

// What is missing among the last chunks may be on its way: what lies behind it comes by the tail too, in its place.
TailStart FleetCatalog::cut_for_tail() {
    TailStart start;
    start.from_sequence = first_sequence_;
    if (chunks_.empty()) return start;
    const auto behind = chunks_.size() - std::min(chunks_.size(), kChunksOnTheWay);
    auto at = std::next(chunks_.begin(), static_cast<std::ptrdiff_t>(behind));
    start.from_sequence = at->second.frames_at;
    for (;; ++at) {
        start.last = at->first;
        start.ends_piece = ends_piece(at);
        const auto next = std::next(at);
        start.from_sequence = std::min(start.from_sequence, at->second.frames_at);
        if (next == chunks_.end() || !follows(start.last, start.ends_piece, next->first)) break;
    }
    chunks_.erase(std::next(at), chunks_.end());
    return start;
}

Result<capture::CaptureIndex> FleetCatalog::take_index() {
    note_missing_chunks();
    capture::IndexJoin join;
    std::unordered_set<std::uint64_t> places;
    std::uint64_t bytes = 0;
    std::uint64_t newest_piece = 0;
    for (auto at = chunks_.begin(); at != chunks_.end();) {
        const std::uint64_t piece = at->first.piece;
        capture::IndexAssembler assembler(kEntryBudget);
        std::vector<std::string> lasting;
        for (; at != chunks_.end() && at->first.piece == piece; ++at) {
            Entry& entry = at->second;
            std::move(entry.detail.lasting.begin(), entry.detail.lasting.end(), std::back_inserter(lasting));
            const bool has_expired = entry.frames_at != 0 && entry.frames_at < first_sequence_;
            has_lost_names_ = has_lost_names_ || has_expired;
            if (has_expired) continue;  // rows are missing at the capture's beginning
            if (entry.frames_at != 0 && !places.insert(entry.frames_at).second) {
                damage_.push_back(
                    {entry.frames_at, 0, "two chunks are said to be in the same place of the stream", {}, {}, false});
                continue;
            }
            entry.detail.place.offset = entry.frames_at;
            if (entry.frames_at != 0) addresses_.push_back({entry.frames_at, entry.summary_at, piece, at->first.sequence});
            bytes += entry.detail.place.stored_bytes;
            if (!assembler.add(entry.detail)) return damaged("the capture's index claims more than it can hold");
        }
        if (newest_piece == 0 && !says_hello(lasting)) {  // its beginning has expired, and with it all names
            addresses_.clear();
            continue;
        }
        for (std::string& frame : lasting) {
            if (!assembler.add_lasting(std::move(frame))) return damaged("the capture's index claims more than it can hold");
        }
        if (newest_piece != 0 && piece != newest_piece + 1) {
            damage_.push_back({0,
                               0,
                               fmt::format("pieces {} to {} are missing in the stream", newest_piece + 1, piece - 1),
                               {},
                               {},
                               false});
        }
        newest_piece = piece;
        join.add(assembler.finish(true), 0);
    }
    if (newest_piece == 0) return unavailable("nothing of the capture is in the stream yet, or all of it has expired");
    for (capture::Damage& one : damage_) join.add_damage(std::move(one));
    chunks_.clear();
    std::sort(addresses_.begin(), addresses_.end(),
              [](const ChunkAddress& a, const ChunkAddress& b) { return a.frames_at < b.frames_at; });
    return join.finish(bytes);
}

}  // namespace sla::fleet
