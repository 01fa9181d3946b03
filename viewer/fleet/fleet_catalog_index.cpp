// What a FleetCatalog makes of the chunks that it has read of.
#include "proto/base/how_many.h"
#include "proto/capture/index_assembler.h"
#include "proto/capture/pieces/repeated_names.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "viewer/fleet/fleet_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sla::fleet {
namespace {

constexpr std::size_t kMaxNotes = 1000;
constexpr std::uint64_t kEntryBudget = std::uint64_t{1} << 40;  // bounded by the messages that came

bool says_hello(const std::vector<std::string>& frames) {
    wire::Frame frame;
    return std::any_of(frames.begin(), frames.end(),
                       [&](const std::string& bytes) { return wire::parse_message(bytes, frame) && frame.has_hello(); });
}

bool is_last_end(const std::string& bytes) {
    wire::Frame frame;
    return capture::is_end_frame(bytes) && wire::parse_message(bytes, frame) && !capture::says_goes_on(frame.end().reason());
}

std::uint64_t events_of(const capture::LaneSummary& summary) {
    return summary.rows - std::min(summary.gap_rows, summary.rows);
}

// What is behind the last row that is there.
std::string words_of_end(const Missing& missing, std::uint64_t dropped) {
    std::string words;
    if (missing.lacks_end) {
        const std::string events = missing.at_end > 0 ? " (" + how_many(missing.at_end, "event") + ")" : "";
        words = "its end" + events + " had been published and is not in the stream any more";
    }
    if (dropped == 0) return words;
    return words + (words.empty() ? "" : "; ") +
           fmt::format("its last {} were dropped by its agent, which ended while the spool had no space",
                       how_many(dropped, "event"));
}

}  // namespace

Published published_of(const RunEntry& run) {
    if (run.ended_ns == 0 || run.left > 0) return {0, 0, 0, run.published};
    return {run.published, run.clock.tick, run.lost_at_end, run.published};
}

// Of a piece that an agent left in a hurry only its index says that it is complete.
bool FleetCatalog::ends_piece(Chunks::const_iterator chunk) const {
    const auto& lasting = chunk->second.detail.lasting;
    if (std::any_of(lasting.begin(), lasting.end(), [](const std::string& one) { return capture::is_end_frame(one); }))
        return true;
    const auto next = std::next(chunk);
    return complete_pieces_.contains(chunk->first.piece) && next != chunks_.end() && next->first.piece != chunk->first.piece;
}

Error FleetCatalog::nothing_there(const Published& published, bool has_chunks) {
    if (has_chunks) return unavailable("what is left of it has no names: they are gone with its first chunks");
    if (published.events == 0 && published.lost_at_end > 0)
        return unavailable(
            fmt::format("nothing of the capture was published: its agent ended while its spool had no space, and "
                        "dropped all of its {}",
                        how_many(published.lost_at_end, "event")));
    if (published.events == 0) return unavailable("nothing of the capture is in the stream yet, or all of it has expired");
    return unavailable(fmt::format("all of its {} that were published expired in the cluster, or were deleted there",
                                   how_many(published.events, "event")));
}

// The newest chunk is the capture's last one: it says so, or a piece ends that says nothing of another one.
bool FleetCatalog::ends_capture() const {
    const auto& [key, last] = *chunks_.rbegin();
    const std::vector<std::string>& lasting = last.detail.lasting;
    if (std::any_of(lasting.begin(), lasting.end(), is_last_end)) return true;
    return complete_pieces_.contains(key.piece) &&
           std::none_of(lasting.begin(), lasting.end(), [](const std::string& one) { return capture::is_end_frame(one); });
}

FleetCatalog::Fate FleetCatalog::fate_of(const ChunkKey& key, const Entry& entry) const {
    if (entry.frames_at == 0) return Fate::kNeverCame;
    if (state_->has_expired(entry.frames_at)) return Fate::kHistory;
    if (!state_->has_deleted(entry.frames_at)) return Fate::kHere;
    return key < first_here_ ? Fate::kHistory : Fate::kGone;
}

// Where nothing is there, all of it is history.
void FleetCatalog::find_history() {
    const auto is_here = [&](const auto& chunk) {
        return fate_of(chunk.first, chunk.second) == Fate::kHere && !chunk.second.detail.lanes.empty();
    };
    const auto first = std::find_if(chunks_.begin(), chunks_.end(), is_here);
    first_here_ = first == chunks_.end() ? ChunkKey{~std::uint64_t{0}, 0} : first->first;
}

void FleetCatalog::note_damage(std::uint64_t at, std::string what, bool harmless) {
    if (damage_.size() < kMaxNotes) damage_.push_back({at, 0, std::move(what), {}, {}, harmless});
}

void FleetCatalog::note_gone(const ChunkKey& key, const Entry& entry, capture::IndexJoin& join) const {
    capture::Damage damage{entry.frames_at,
                           0,
                           fmt::format("chunk {} of piece {} is not in the stream any more", key.sequence, key.piece),
                           entry.detail.place.sequence,
                           {},
                           false};
    for (const capture::LaneSummary& lane : entry.detail.lanes)
        damage.lost.push_back({lane.channel, lane.first_index, lane.rows, lane.first_tick, lane.last_tick, {}, false});
    if (!damage.lost.empty()) join.add_damage(std::move(damage));
}

// Between two that are there: it is lost, or an agent has not sent it yet. What came before all rows is another matter.
void FleetCatalog::note_missing_chunks() {
    for (auto next = chunks_.begin(); next != chunks_.end();) {
        const auto at = next++;
        if (next == chunks_.end() || state_->has_expired(at->second.frames_at)) continue;
        if (next->first <= first_here_ || next->first.piece > at->first.piece + 1) continue;
        if (follows(at->first, ends_piece(at), next->first)) continue;
        has_lost_names_ = true;
        note_damage(next->second.frames_at,
                    fmt::format("what lies between chunk {} of piece {} and chunk {} of piece {} is not in the stream",
                                at->first.sequence, at->first.piece, next->first.sequence, next->first.piece));
    }
}

// What is missing among the last chunks may be on its way: what lies behind it comes by the tail too, in its place.
TailStart FleetCatalog::cut_for_tail() {
    TailStart start;
    start.from_sequence = state_->first;
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
    is_cut_ = std::next(at) != chunks_.end();
    chunks_.erase(std::next(at), chunks_.end());
    return start;
}

Result<void> FleetCatalog::add_piece(Chunks::iterator& at, Making& making) {
    const auto too_much = [] { return damaged("the capture's index claims more than it can hold"); };
    const std::uint64_t piece = at->first.piece;
    capture::IndexAssembler assembler(kEntryBudget);
    std::vector<std::string> lasting;
    std::vector<bool> are_gone;
    for (; at != chunks_.end() && at->first.piece == piece; ++at) {
        Entry& entry = at->second;
        std::move(entry.detail.lasting.begin(), entry.detail.lasting.end(), std::back_inserter(lasting));
        const Fate fate = fate_of(at->first, entry);
        has_lost_names_ = has_lost_names_ || fate == Fate::kHistory || fate == Fate::kGone;
        has_history_ = has_history_ || fate == Fate::kHistory;
        if (fate == Fate::kHistory) continue;
        if (entry.frames_at != 0 && !making.places.insert(entry.frames_at).second) {
            note_damage(entry.frames_at, "two chunks are said to be in the same place of the stream");
            continue;
        }
        entry.detail.place.offset = entry.frames_at;
        if (entry.frames_at != 0)
            addresses_.push_back({entry.frames_at, entry.summary_at, piece, at->first.sequence, fate == Fate::kGone});
        making.bytes += entry.detail.place.stored_bytes;
        if (!assembler.add(entry.detail)) return too_much();
        are_gone.push_back(fate == Fate::kGone);
        if (fate == Fate::kGone) note_gone(at->first, entry, making.join);
    }
    if (making.newest_piece == 0 && !says_hello(lasting)) {  // its beginning has expired, and with it all names
        addresses_.clear();
        return {};
    }
    for (std::string& frame : lasting) {
        if (!assembler.add_lasting(std::move(frame))) return too_much();
    }
    if (making.newest_piece != 0 && piece != making.newest_piece + 1) {
        note_damage(0, fmt::format("pieces {} to {} are missing in the stream", making.newest_piece + 1, piece - 1));
    }
    making.newest_piece = piece;
    capture::CaptureIndex index = assembler.finish(true);
    count_piece(index, are_gone, making);
    making.join.add(std::move(index), 0);
    return {};
}

void FleetCatalog::count_piece(const capture::CaptureIndex& piece, const std::vector<bool>& are_gone, Making& making) {
    for (const capture::CaptureIndex::Lane& lane : piece.lanes()) {
        const auto [at, is_first] = making.lanes.try_emplace(lane.channel);
        Extent& extent = at->second;
        if (is_first) missing_.before += extent.next = lane.summaries.front().first_index;
        auto chunk = lane.chunk_numbers.begin();
        for (const capture::LaneSummary& one : lane.summaries) {
            missing_.within += one.first_index - std::min(extent.next, one.first_index);
            (are_gone[*chunk++] ? missing_.within : making.events) += events_of(one);
            extent.next = one.first_index + one.rows;
            extent.last_tick = std::max(extent.last_tick, one.last_tick);
        }
    }
}

// By the registry's sum, as far as the numbers of rows do not tell.
void FleetCatalog::count_missing(const Making& making, const Published& published, bool has_end) {
    const std::uint64_t known = making.events + missing_.within;
    const std::uint64_t rest = published.so_far - std::min(published.so_far, known);
    const bool begins_late = missing_.before > 0 || has_history_ || (making.is_first_gone && rest > 0);
    if (published.events == 0) {  // the rest may be on its way, but for what was before all that is there
        if (begins_late && missing_.before == 0 && !is_cut_) missing_.before = rest;
        return;
    }
    missing_.lacks_end = !has_end && !is_cut_ && (begins_late || rest > 0);
    if (begins_late && !missing_.lacks_end && rest > 0) missing_.before = rest;
    if (missing_.lacks_end && !begins_late) missing_.at_end = rest;
    if (!missing_.lacks_end && !begins_late && has_end) missing_.within += rest;  // of channels of which nothing is there
}

// Of one channel the number is known, of several only their sum is.
capture::Damage FleetCatalog::missing_end(const Making& making, const Published& published) const {
    capture::Damage damage{making.bytes, 0, words_of_end(missing_, published.lost_at_end), {}, {}, false, true};
    const bool is_count_known = making.lanes.size() == 1 && (!missing_.lacks_end || missing_.at_end > 0);
    const std::uint64_t rows = is_count_known ? missing_.at_end + published.lost_at_end : 0;
    for (const auto& [channel, extent] : making.lanes) {
        const std::uint64_t until = std::max(extent.last_tick, published.last_tick);
        damage.lost.push_back({channel, extent.next, rows, extent.last_tick, until, {}, false});
    }
    return damage;
}

std::string FleetCatalog::head() const {
    if (missing_.before == 0) return {};
    wire::Frame frame;
    frame.mutable_notice()->set_text(
        fmt::format("'{}' begins late: {} of before expired in the cluster, or were deleted first; "
                    "no loss of the recording",
                    name_.host, how_many(missing_.before, "event")));
    return frame.SerializeAsString();
}

Result<capture::CaptureIndex> FleetCatalog::take_index(const Published& published) {
    const bool has_chunks = !chunks_.empty();
    const bool has_end = !chunks_.empty() && ends_capture();
    Making making;
    making.is_first_gone = has_chunks && chunks_.begin()->first != ChunkKey{1, 0};
    find_history();
    note_missing_chunks();
    for (auto at = chunks_.begin(); at != chunks_.end();) {
        if (const Result<void> added = add_piece(at, making); !added) return added.error();
    }
    chunks_.clear();
    if (making.newest_piece == 0) return nothing_there(published, has_chunks);
    for (capture::Damage& one : damage_) making.join.add_damage(std::move(one));
    std::sort(addresses_.begin(), addresses_.end(),
              [](const ChunkAddress& a, const ChunkAddress& b) { return a.frames_at < b.frames_at; });
    count_missing(making, published, has_end);
    if (const std::string notice = head(); !notice.empty()) making.join.add_frame(notice);
    if (missing_.lacks_end || (published.lost_at_end > 0 && !is_cut_))
        making.join.add_damage(missing_end(making, published));
    return making.join.finish(making.bytes);
}

}  // namespace sla::fleet
