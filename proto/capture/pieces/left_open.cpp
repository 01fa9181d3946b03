#include "proto/capture/pieces/left_open.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/missing_rows.h"

#include <algorithm>
#include <string>

namespace sla::capture {

void OpenChannels::add(const CaptureIndex& piece) {
    for (const std::string& bytes : piece.lasting()) {
        wire::Frame frame;
        if (!wire::parse_message(bytes, frame)) continue;
        if (frame.has_channel()) channels_[ChannelId{frame.channel().id()}].source = frame.channel().source();
        if (frame.has_source() && frame.source().clock_domain() != 0) with_own_time_.insert(frame.source().id());
        if (frame.has_end()) newest_tick_ = std::max<std::uint64_t>(newest_tick_, frame.end().tick());
        for (const wire::ChannelStatus& one : frame.ledgers().channels()) add_count({one.id()}, one.events(), true);
        for (const wire::ChannelStatus& one : frame.status().channels()) add_count({one.id()}, one.events(), false);
    }
    for (const CaptureIndex::Lane& lane : piece.lanes()) add_rows(lane);
}

void OpenChannels::add(const OpenChannels& others) {
    for (const auto& [id, other] : others.channels_) {
        Channel& channel = channels_[id];
        channel.source = std::max(channel.source, other.source);
        channel.first_index = std::min(channel.first_index, other.first_index);
        channel.next_index = std::max(channel.next_index, other.next_index);
        channel.last_tick = std::max(channel.last_tick, other.last_tick);
        channel.events += other.events;
        channel.are_counted = channel.are_counted && other.are_counted;
        if (other.recorded) add_count(id, *other.recorded, other.has_ended);
    }
    with_own_time_.insert(others.with_own_time_.begin(), others.with_own_time_.end());
    newest_tick_ = std::max(newest_tick_, others.newest_tick_);
}

void OpenChannels::add_count(ChannelId id, std::uint64_t events, bool has_ended) {
    Channel& channel = channels_[id];
    channel.recorded = std::max(channel.recorded.value_or(0), events);
    channel.has_ended = channel.has_ended || has_ended;
}

void OpenChannels::add_rows(const CaptureIndex::Lane& lane) {
    Channel& channel = channels_[lane.channel];
    channel.first_index = std::min<std::uint64_t>(channel.first_index, lane.summaries.front().first_index);
    channel.next_index = std::max(channel.next_index, lane.rows());
    channel.last_tick = std::max<std::uint64_t>(channel.last_tick, lane.summaries.back().last_tick);
    newest_tick_ = std::max(newest_tick_, channel.last_tick);
    std::uint64_t loss_rows = 0;
    for (const GapRow& gap : lane.gaps) {
        ++loss_rows;
        if (!wire::explains_missing_rows(gap.cause)) continue;
        channel.events += gap.lost;
        if (gap.lost == 0) channel.are_counted = false;
    }
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < lane.summaries.size(); ++i) rows += lane.summaries[i].rows;
    channel.events += rows - std::min(rows, loss_rows);
}

bool OpenChannels::begins_late() const {
    return std::any_of(channels_.begin(), channels_.end(),
                       [](const auto& entry) { return entry.second.first_index != kNone && entry.second.first_index > 0; });
}

std::vector<LeftOpen> OpenChannels::left_open(const OpenChannels& behind) const {
    const bool are_all_here = !begins_late();
    std::map<ChannelId, Channel> all = channels_;
    all.insert(behind.channels_.begin(), behind.channels_.end());
    std::vector<LeftOpen> out;
    for (const auto& [id, last] : all) {
        const auto here = channels_.find(id);
        const auto there = behind.channels_.find(id);
        if (there != behind.channels_.end() && there->second.next_index > 0) continue;
        const Channel known = here == channels_.end() ? Channel{} : here->second;
        std::optional<std::uint64_t> recorded = known.has_ended ? known.recorded : std::nullopt;
        bool has_ended = known.has_ended;
        if (there != behind.channels_.end() && there->second.recorded) {
            recorded = std::max(recorded.value_or(0), *there->second.recorded);
            has_ended = has_ended || there->second.has_ended;
        }
        const bool is_told = recorded && known.are_counted && are_all_here;
        if (is_told && *recorded <= known.events) continue;
        const bool has_own_time = with_own_time_.contains(last.source) || behind.with_own_time_.contains(last.source);
        out.push_back(
            {id, known.next_index, known.last_tick, is_told && has_ended ? *recorded - known.events : 0, has_own_time});
    }
    return out;
}

std::uint64_t first_watermark(const CaptureIndex& piece, ChunkReader& chunks) {
    constexpr std::size_t kMostChunks = 16;
    wire::Frame frame;
    for (std::size_t i = 0; i < std::min(piece.chunks().size(), kMostChunks); ++i) {
        if (!chunks.load(piece.chunks()[i])) continue;
        while (const auto bytes = chunks.next()) {
            if (wire::parse_message(*bytes, frame) && frame.has_watermark() && frame.watermark().tick() > 0)
                return frame.watermark().tick();
        }
    }
    std::uint64_t newest = 0;
    for (const CaptureIndex::Lane& lane : piece.lanes())
        newest = std::max<std::uint64_t>(newest, lane.summaries.back().last_tick);
    return newest;
}

}  // namespace sla::capture
