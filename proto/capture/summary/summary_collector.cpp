#include "proto/capture/summary/summary_collector.h"

#include "proto/capture/summary/lane_rows.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <utility>

namespace sla::capture {
namespace {

constexpr int kChunksPerIndex = 256;
constexpr std::size_t kIndexBytes = std::size_t{1} << 20;
constexpr std::size_t kLaneBytes = 48;                           // a lane's row in an index, about
constexpr std::size_t kSpanBytes = 24;                           // a span's or a loss's
constexpr std::size_t kKeptRows = std::size_t{1} << 13;          // of an index: for more the memory is not kept
constexpr std::size_t kMaxLastingBytes = std::size_t{64} << 10;  // of a frame: no more of it is written twice

bool is_lasting(wire::Frame::BodyCase body) {
    switch (body) {
        case wire::Frame::kHello:
        case wire::Frame::kSource:
        case wire::Frame::kChannel:
        case wire::Frame::kThread:
        case wire::Frame::kClock:
        case wire::Frame::kHost:
        case wire::Frame::kPeerClock:
        case wire::Frame::kNotice:
        case wire::Frame::kShot:
        case wire::Frame::kLedgers:
        case wire::Frame::kEnd: return true;
        default: return false;
    }
}

// But for the intervals, of which each has memory.
void empty(ChunkDetail& detail) {
    detail.lanes.clear();
    detail.cells.clear();
    detail.open.clear();
    detail.crossed.clear();
    detail.gaps.clear();
}

}  // namespace

LaneSummarizer& SummaryCollector::lane(std::uint32_t channel) {
    const auto known = lanes_.find(channel);
    if (known == lanes_.end() || known->second.empty()) ++lanes_with_rows_;
    if (known != lanes_.end()) return known->second;
    const auto rest = resting_.extract(channel);
    LaneSummarizer& lane =
        lanes_.try_emplace(channel, ChannelId{channel}, rest.empty() ? LaneSummarizer::Rest{} : rest.mapped()).first->second;
    lane_bytes_ += kNodeBytes + lane.bytes();
    return lane;
}

std::uint64_t SummaryCollector::add_frame(std::string_view message, const FrameFacts& facts) {
    if (facts.summary != nullptr && add_summed_up(facts)) return 0;
    if (const wire::Batch* const batch = parser_.parse(message)) return add_batch(*batch);
    if (wire::parse_message(message, frame_)) {
        if (frame_.has_batch()) return add_batch(frame_.batch());
        if (frame_.has_retired()) retire(frame_.retired());
        keep(message, frame_.body_case());
    } else if (facts.events > 0) {
        rows_ += facts.events;
        lane(facts.channel).add_opaque(facts.first_index, facts.first_tick, facts.last_tick, facts.events);
    }
    return 0;
}

// False: its rows are wanted. What explains holes comes in batches that nobody has summed up.
bool SummaryCollector::add_summed_up(const FrameFacts& facts) {
    if (closes_holes_ && !numbers_.go_on(facts.channel, facts.first_index)) return false;
    if (!lane(facts.channel).add(*facts.summary)) return false;
    if (closes_holes_) numbers_.take(facts.channel, facts.first_index, facts.events);
    rows_ += facts.events;
    return true;
}

std::uint64_t SummaryCollector::add_batch(const wire::Batch& batch) {
    rows_ += batch.count();
    if (wire::decode_batch(batch, events_)) {
        const std::uint64_t shift = closes_holes_ ? numbers_.close_holes(events_) : 0;
        lane(batch.channel()).add(events_);
        return shift;
    }
    if (batch.count() == 0) return 0;
    const std::uint64_t last = std::max<std::uint64_t>(batch.first_tick(), batch.last_tick());
    lane(batch.channel()).add_opaque(batch.first_index(), batch.first_tick(), last, batch.count());
    return 0;
}

void SummaryCollector::retire(const wire::Retired& retired) {
    retired_.insert(retired_.end(), retired.channels().begin(), retired.channels().end());
}

void SummaryCollector::keep(std::string_view message, wire::Frame::BodyCase body) {
    if (message.size() > kMaxLastingBytes) return;
    if (body == wire::Frame::kStatus) status_ = message;
    if (!is_lasting(body)) return;
    lasting_.emplace_back(message);
    lasting_bytes_ += message.size() + kStringBytes;
}

void SummaryCollector::put_to_rest(std::uint32_t channel, const LaneSummarizer& lane) {
    numbers_.rest(channel);
    const LaneSummarizer::Rest rest = lane.rest();
    if (!rest.is_nothing()) resting_.emplace(channel, rest);
}

void SummaryCollector::close_chunk(const ChunkPlace& place, ChunkDetail& detail) {
    detail.place = place;
    empty(detail);
    lane_bytes_ = 0;
    rows_ = lanes_with_rows_ = 0;
    const auto number = static_cast<std::uint32_t>(index_.chunks_size());
    std::size_t known = 0;  // lanes whose intervals are
    for (auto at = lanes_.begin(); at != lanes_.end();) {
        const std::uint32_t id = at->first;
        LaneSummarizer& lane = at->second;
        if (lane.can_rest()) {  // without a row for all of this chunk
            put_to_rest(id, lane);
            at = lanes_.erase(at);
            continue;
        }
        ++at;
        lane_bytes_ += kNodeBytes + lane.bytes();
        if (lane.empty()) continue;
        detail.open.insert(detail.open.end(), lane.open_before().begin(), lane.open_before().end());
        detail.crossed.insert(detail.crossed.end(), lane.crossed().begin(), lane.crossed().end());
        detail.gaps.insert(detail.gaps.end(), lane.gaps().begin(), lane.gaps().end());
        if (known == detail.intervals.size()) detail.intervals.emplace_back();
        detail.intervals[known].channel = ChannelId{id};
        known += lane.take_intervals(detail.intervals[known].sums, bin_counter_) ? 1 : 0;
        detail.lanes.push_back(lane.take(detail.cells));
        index_rows_.push_back({number, detail.lanes.back()});
    }
    detail.intervals.resize(known);
    for (const std::uint32_t channel : std::exchange(retired_, {})) {
        lanes_.erase(channel);
        resting_.erase(channel);
        numbers_.forget(channel);
    }
    detail.lasting = std::exchange(lasting_, {});
    encode_entry(detail, *index_.add_chunks());
    index_singles_ += detail.crossed.size() + detail.gaps.size();
    index_bytes_ += kLaneBytes * detail.lanes.size() + kSpanBytes * (detail.crossed.size() + detail.gaps.size());
    for (const std::string& frame : detail.lasting) index_bytes_ += frame.size();
    if (!status_.empty()) {
        detail.lasting.push_back(status_);
        index_status_ = std::exchange(status_, {});
    }
}

void SummaryCollector::begin_file() {
    for (auto& [channel, lane] : lanes_) lane.begin_file();
    for (auto& [channel, rest] : resting_) rest.begun = 0;
    std::erase_if(resting_, [](const auto& entry) { return entry.second.is_nothing(); });
}

bool SummaryCollector::index_due() const {
    return index_.chunks_size() >= kChunksPerIndex || index_bytes_ >= kIndexBytes;
}

std::string SummaryCollector::take_index(std::uint64_t previous) {
    put_lanes(index_rows_, index_);
    if (index_rows_.capacity() > kKeptRows) index_rows_ = {};
    index_rows_.clear();
    index_.set_previous(previous);
    if (!index_status_.empty()) index_.mutable_chunks()->rbegin()->add_lasting(std::exchange(index_status_, {}));
    std::string bytes = index_.SerializeAsString();
    index_ = {};  // whose strings would be kept
    index_bytes_ = index_singles_ = lasting_bytes_ = 0;
    return bytes;
}

}  // namespace sla::capture
