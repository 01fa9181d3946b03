#include "viewer/capture_tools/edge_state.h"

#include "viewer/capture_tools/lane_edge.h"
#include "viewer/ingest/frame_item.h"
#include "viewer/store/machine_time.h"
#include "viewer/store/rows/row_types.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace sla::capture_tools {

namespace {

using capture::CaptureIndex;

// One look into a chunk for all lanes that want it.
void look_into(const capture::ChunkPlace& place, const std::vector<LaneEdge*>& edges, capture::ChunkReader& chunks) {
    std::map<ChannelId, LaneEdge*> by_channel;
    bool is_any_first = false;
    for (LaneEdge* edge : edges) {
        by_channel.emplace(edge->lane().channel, edge);
        is_any_first = is_any_first || edge->wants_open_spans();
    }
    const auto edge_of = [&](ChannelId channel) {
        const auto found = by_channel.find(channel);
        return found == by_channel.end() ? nullptr : found->second;
    };
    if (is_any_first) {
        if (const auto detail = chunks.detail(place); detail.ok()) {
            for (const capture::OpenSpan& span : detail->open) {
                LaneEdge* const edge = edge_of(span.channel);
                if (edge != nullptr && edge->wants_open_spans()) edge->take(span);
            }
        }
    }
    const bool is_sound = chunks.load(place).ok();
    while (const auto frame = is_sound ? chunks.next() : std::nullopt) {
        const ingest::FrameItem item = ingest::decode_frame(*frame);
        if (item.what != ingest::FrameItem::What::kBatch) continue;
        if (LaneEdge* const edge = edge_of(item.batch.channel)) edge->take(item.batch);
    }
    for (LaneEdge* edge : edges) edge->end_chunk(is_sound);
}

}  // namespace

std::optional<EdgeStates> states_before(std::uint64_t tick, const CaptureIndex& index, const std::set<ChannelId>& channels,
                                        capture::ChunkReader& chunks, const std::function<bool()>& go_on) {
    std::deque<LaneEdge> edges;
    std::map<std::uint32_t, std::vector<LaneEdge*>, std::greater<>> looks;  // by chunk, the latest first
    const auto note = [&](LaneEdge& edge) {
        if (const auto chunk = edge.wanted()) looks[*chunk].push_back(&edge);
    };
    for (const CaptureIndex::Lane& lane : index.lanes()) {
        if (channels.contains(lane.channel)) note(edges.emplace_back(tick, lane));
    }
    while (!looks.empty()) {
        if (!go_on()) return std::nullopt;
        const auto look = looks.extract(looks.begin());
        look_into(index.chunks()[look.key()], look.mapped(), chunks);
        for (LaneEdge* edge : look.mapped()) note(*edge);
    }
    EdgeStates states;
    for (const LaneEdge& edge : edges) {
        if (wire::EventBatch rows = edge.rows(); !rows.empty()) states.rows.push_back(std::move(rows));
        if (edge.is_level_unknown()) states.late.push_back(edge.lane().channel);
    }
    return states;
}

std::uint64_t begin_of(const CaptureIndex& index, const store::Session& names, std::uint64_t begin_tick) {
    if (begin_tick != 0) return begin_tick;
    std::uint64_t first = store::kNever;
    bool is_late = false;
    for (const CaptureIndex::Lane& lane : index.lanes()) {
        is_late = is_late || lane.summaries.front().first_index > 0;
        const store::Lane* const named = names.lane(lane.channel);
        if (named != nullptr && store::has_own_time(names, *named)) continue;
        first = std::min<std::uint64_t>(first, lane.summaries.front().first_tick);
    }
    return is_late && first != store::kNever ? first : 0;
}

}  // namespace sla::capture_tools
