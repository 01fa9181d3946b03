#include "proto/capture/index_assembler.h"

#include "proto/base/check.h"
#include "proto/capture/file_format.h"

#include <algorithm>
#include <limits>

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

bool IndexAssembler::add(const ChunkDetail& detail) {
    const std::size_t entries = detail.lanes.size() + detail.crossed.size() + detail.gaps.size();
    if (entries > rows_left_ || index_.chunks_.size() >= std::numeric_limits<std::uint32_t>::max()) return false;
    rows_left_ -= entries;
    const auto number = static_cast<std::uint32_t>(index_.chunks_.size());
    index_.chunks_.push_back(detail.place);
    for (const LaneSummary& summary : detail.lanes) {
        CaptureIndex::Lane& lane = lanes_[summary.channel];
        lane.channel = summary.channel;
        lane.summaries.push_back(summary);
        lane.chunk_numbers.push_back(number);
    }
    // Only of channels that have rows: what a forged file says of others is dropped.
    for (const CrossedSpan& crossed : detail.crossed) {
        if (const auto at = lanes_.find(crossed.span.channel); at != lanes_.end()) at->second.crossed.push_back(crossed);
    }
    for (const GapRow& gap : detail.gaps) {
        if (const auto at = lanes_.find(gap.channel); at != lanes_.end()) at->second.gaps.push_back(gap);
    }
    return true;
}

bool IndexAssembler::add_lasting(std::string frame) {
    const std::uint64_t bytes = frame.size() + sizeof frame;
    if (bytes > lasting_left_) return false;
    lasting_left_ -= bytes;
    index_.lasting_.push_back(std::move(frame));
    return true;
}

void IndexAssembler::expect(std::size_t times) {
    std::size_t all = 0;
    for (const auto& [channel, lane] : lanes_) all += lane.summaries.size();
    if (all == 0 || times > rows_left_ / all) return;  // no file holds so many
    if (times > index_.file_bytes_ / kChunkHeaderBytes / index_.chunks_.size()) return;
    for (auto& [channel, lane] : lanes_) {
        lane.summaries.reserve(lane.summaries.size() * times);
        lane.chunk_numbers.reserve(lane.chunk_numbers.size() * times);
    }
    index_.chunks_.reserve(index_.chunks_.size() * times);
}

void IndexAssembler::turn_round() {
    std::reverse(index_.chunks_.begin(), index_.chunks_.end());
    std::reverse(index_.lasting_.begin(), index_.lasting_.end());
    const auto last = static_cast<std::uint32_t>(index_.chunks_.size()) - 1;
    for (auto& [channel, lane] : lanes_) {
        lane.summaries.reverse();
        std::reverse(lane.chunk_numbers.begin(), lane.chunk_numbers.end());
        std::reverse(lane.crossed.begin(), lane.crossed.end());
        std::reverse(lane.gaps.begin(), lane.gaps.end());
        for (std::uint32_t& number : lane.chunk_numbers) number = last - number;
    }
}

void IndexAssembler::set_made_anew(std::vector<Damage> damage) {
    index_.made_anew_ = true;
    index_.damage_ = std::move(damage);
}

CaptureIndex IndexAssembler::finish(bool finished) {
    index_.finished_ = finished;
    index_.lanes_.reserve(lanes_.size());
    for (auto& [channel, lane] : lanes_) index_.lanes_.push_back(std::move(lane));
    lanes_.clear();
    return std::move(index_);
}

}  // namespace sla::capture
