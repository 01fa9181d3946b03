#include "proto/capture/pieces/index_join.h"

#include "proto/capture/summary/lane_summarizer.h"
#include "proto/wire/event.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sla::capture {
namespace {

// Its first row says what the level is.
bool begins_with_level(const LaneSummary& summary) {
    return (summary.kinds & ~(kinds_bit(wire::Kind::kLevel) | kinds_bit(wire::Kind::kGap))) == 0;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>&& from) {
    if (to.empty()) {
        to = std::move(from);
    } else {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    }
}

}  // namespace

void IndexJoin::add_lasting(std::vector<std::string>&& frames) {
    const auto newest = out_.lasting_.begin() + static_cast<std::ptrdiff_t>(newest_lasting_);
    out_.lasting_.erase(
        std::remove_if(newest, out_.lasting_.end(), [](const std::string& one) { return is_end_frame(one); }),
        out_.lasting_.end());
    newest_lasting_ = out_.lasting_.size();
    for (std::string& frame : frames) {
        if (!names_.is_known(frame)) out_.lasting_.push_back(std::move(frame));
    }
}

void IndexJoin::join_states(const LaneSummary& last, LaneSummary& first) {
    if (first.depth_before != last.depth_after) out_.states_known_ = false;
    if (first.level_before == last.level_after) return;
    if (first.level_before != Level::kUnknown || !begins_with_level(first)) out_.states_known_ = false;
    first.level_before = last.level_after;
}

void IndexJoin::join_lane(CaptureIndex::Lane&& piece, std::uint32_t first_chunk) {
    const std::uint32_t channel = piece.channel.value;
    std::uint64_t& begun = begun_[channel];
    for (std::uint32_t& number : piece.chunk_numbers) number += first_chunk;
    for (CrossedSpan& crossed : piece.crossed) crossed.span.id += begun;
    piece.span_base = begun;
    for (const LaneSummary& summary : piece.summaries) begun += summary.begins;
    const auto [at, is_new] = lane_of_.try_emplace(channel, out_.lanes_.size());
    if (is_new) {
        out_.lanes_.push_back(std::move(piece));
        return;
    }
    CaptureIndex::Lane& lane = out_.lanes_[at->second];
    lane.span_base = piece.span_base;
    LaneSummary first = piece.summaries.front();
    join_states(lane.summaries.back(), first);
    piece.summaries.set(0, first);
    lane.summaries.append(std::move(piece.summaries));
    append(lane.chunk_numbers, std::move(piece.chunk_numbers));
    append(lane.crossed, std::move(piece.crossed));
    append(lane.gaps, std::move(piece.gaps));
}

void IndexJoin::add(CaptureIndex piece, std::uint64_t begin) {
    const auto first_chunk = static_cast<std::uint32_t>(out_.chunks_.size());
    for (ChunkPlace& place : piece.chunks_) place.offset += begin;
    for (Damage& damage : piece.damage_) damage.offset += begin;
    append(out_.chunks_, std::move(piece.chunks_));
    append(out_.damage_, std::move(piece.damage_));
    for (CaptureIndex::Lane& lane : piece.lanes_) join_lane(std::move(lane), first_chunk);
    add_lasting(std::move(piece.lasting_));
    out_.finished_ = piece.finished_;
    out_.made_anew_ = out_.made_anew_ || piece.made_anew_;
    out_.states_known_ = out_.states_known_ && piece.states_known_;
}

void IndexJoin::add_beside(const CaptureIndex& other, std::vector<CaptureIndex::Lane> lanes,
                           std::vector<ChunkPlace> chunks) {
    const auto first_chunk = static_cast<std::uint32_t>(out_.chunks_.size());
    for (CaptureIndex::Lane& lane : lanes) {
        for (std::uint32_t& number : lane.chunk_numbers) number += first_chunk;
    }
    append(out_.chunks_, std::move(chunks));
    append(out_.lanes_, std::move(lanes));
    out_.finished_ = other.finished_ && (out_.finished_ || !has_others_);
    out_.made_anew_ = out_.made_anew_ || other.made_anew_;
    out_.states_known_ = out_.states_known_ && other.states_known_;
    has_others_ = true;
}

CaptureIndex IndexJoin::finish(std::uint64_t bytes) {
    out_.file_bytes_ = bytes;
    std::sort(out_.lanes_.begin(), out_.lanes_.end(),
              [](const CaptureIndex::Lane& a, const CaptureIndex::Lane& b) { return a.channel < b.channel; });
    return std::move(out_);
}

}  // namespace sla::capture
