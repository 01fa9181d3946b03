#include "proto/capture/index_assembler.h"

#include "proto/capture/file_format.h"

#include <limits>
#include <utility>

namespace sla::capture {
namespace {

// A channel's part of a chunk takes more bytes than this in any file that was not forged; small files may have more.
constexpr std::uint64_t kBytesPerSummary = 8;
constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{1} << 16;
// Names, clocks and words shrink to a tenth or so, and each is in a file three times.
constexpr std::uint64_t kLastingPerByte = 64;

}  // namespace

IndexAssembler::IndexAssembler(std::uint64_t bytes)
    : rows_left_(kAlwaysAllowed + bytes / kBytesPerSummary), lasting_left_(kMaxChunkBytes + kLastingPerByte * bytes) {
    index_.file_bytes_ = bytes;
}

void IndexAssembler::begin_part_before() {
    if (!parts_.back().chunks.empty()) parts_.emplace_back();
}

bool IndexAssembler::claim(std::size_t entries) {
    if (entries > rows_left_) return false;
    rows_left_ -= entries;
    return true;
}

IndexAssembler::Share& IndexAssembler::share_of(Shares& shares) const {
    const std::size_t part = parts_.size() - 1;
    if (shares.empty() || shares.back().part != part) shares.push_back({part, {}, {}, {}});
    return shares.back();
}

bool IndexAssembler::add(const ChunkDetail& detail) {
    if (!claim(detail.lanes.size() + detail.crossed.size() + detail.gaps.size())) return false;
    if (chunks_ >= std::numeric_limits<std::uint32_t>::max()) return false;
    const auto number = static_cast<std::uint32_t>(parts_.back().chunks.size());
    parts_.back().chunks.push_back(detail.place);
    ++chunks_;
    for (const LaneSummary& summary : detail.lanes) {
        Share& share = share_of(lanes_[summary.channel]);
        share.rows.summaries.push_back(summary);
        share.rows.chunks.push_back(number);
    }
    add_singles(detail);
    return true;
}

bool IndexAssembler::add_lane(ChannelId channel, LaneBlock&& block) {
    Shares& shares = lanes_[channel];
    if (!claim(block.summaries.size()) || (!shares.empty() && shares.back().part == parts_.size() - 1)) return false;
    share_of(shares).rows = std::move(block);
    return true;
}

// Only of channels that have rows in the part: what a forged file says of others is dropped.
void IndexAssembler::add_singles(const ChunkDetail& detail) {
    const auto share_with_rows = [this](ChannelId channel) -> Share* {
        const auto at = lanes_.find(channel);
        return at == lanes_.end() || at->second.back().part != parts_.size() - 1 ? nullptr : &at->second.back();
    };
    for (const CrossedSpan& crossed : detail.crossed) {
        if (Share* const share = share_with_rows(crossed.span.channel)) share->crossed.push_back(crossed);
    }
    for (const GapRow& gap : detail.gaps) {
        if (Share* const share = share_with_rows(gap.channel)) share->gaps.push_back(gap);
    }
}

bool IndexAssembler::add_lasting(std::string frame) {
    const std::uint64_t bytes = frame.size() + sizeof(std::string);
    if (bytes > lasting_left_) return false;
    lasting_left_ -= bytes;
    parts_.back().lasting.push_back(std::move(frame));
    return true;
}

void IndexAssembler::set_made_anew(std::vector<Damage> damage) {
    index_.made_anew_ = true;
    index_.damage_ = std::move(damage);
}

CaptureIndex::Lane IndexAssembler::lane_of(ChannelId channel, Shares& shares,
                                           const std::vector<std::uint32_t>& first_chunks) const {
    CaptureIndex::Lane lane;
    lane.channel = channel;
    std::size_t rows = 0;
    for (const Share& share : shares) rows += share.rows.summaries.size();
    lane.chunk_numbers.reserve(rows);
    for (auto share = shares.rbegin(); share != shares.rend(); ++share) {
        for (const std::uint32_t chunk : share->rows.chunks) lane.chunk_numbers.push_back(first_chunks[share->part] + chunk);
        lane.summaries.append(std::move(share->rows.summaries));
        lane.crossed.insert(lane.crossed.end(), share->crossed.begin(), share->crossed.end());
        lane.gaps.insert(lane.gaps.end(), share->gaps.begin(), share->gaps.end());
    }
    return lane;
}

// The part that was begun last is the capture's first.
CaptureIndex IndexAssembler::finish(bool finished) {
    index_.finished_ = finished;
    std::vector<std::uint32_t> first_chunks(parts_.size());
    index_.chunks_.reserve(chunks_);
    for (std::size_t part = parts_.size(); part-- > 0;) {
        first_chunks[part] = static_cast<std::uint32_t>(index_.chunks_.size());
        index_.chunks_.insert(index_.chunks_.end(), parts_[part].chunks.begin(), parts_[part].chunks.end());
        for (std::string& frame : parts_[part].lasting) index_.lasting_.push_back(std::move(frame));
    }
    index_.lanes_.reserve(lanes_.size());
    for (auto& [channel, shares] : lanes_) index_.lanes_.push_back(lane_of(channel, shares, first_chunks));
    lanes_.clear();
    return std::move(index_);
}

}  // namespace sla::capture
