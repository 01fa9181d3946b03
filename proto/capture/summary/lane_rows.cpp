#include "proto/capture/summary/lane_rows.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace sla::capture {
namespace {

constexpr std::uint32_t kByChunk = 2;
constexpr std::uint32_t kByChannel = 3;
constexpr std::size_t kWorthwhile = 4;  // rows a channel: with fewer, the columns' own bytes are more than what they save

using Lane = std::span<const IndexRow* const>;  // of one channel

template <typename Column, typename Get>
void put(Column& column, Lane rows, const Get& get) {
    if (std::all_of(rows.begin(), rows.end(), [&](const IndexRow* row) { return get(row->sum) == 0; })) return;
    column.Reserve(static_cast<int>(rows.size()));
    for (const IndexRow* row : rows) column.Add(get(row->sum));
}

// Distances between neighbours.
void put_steps(LaneRows& out, Lane rows) {
    bool is_skipping = rows.front()->chunk > 0;
    bool leaves_rows_out = false;
    bool has_pauses = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const LaneSummary& before = rows[i - 1]->sum;
        is_skipping = is_skipping || rows[i]->chunk != rows[i - 1]->chunk + 1;
        leaves_rows_out = leaves_rows_out || rows[i]->sum.first_index != before.first_index + before.rows;
        has_pauses = has_pauses || rows[i]->sum.first_tick != before.last_tick;
    }
    out.set_base_index(rows.front()->sum.first_index);
    out.set_base_tick(rows.front()->sum.first_tick);
    std::uint32_t chunk = 0;
    std::uint64_t index = out.base_index();
    std::uint64_t tick = out.base_tick();
    for (const IndexRow* row : rows) {
        if (is_skipping) out.add_skipped(row->chunk - chunk);
        if (leaves_rows_out) out.add_first_index(static_cast<std::int64_t>(row->sum.first_index - index));
        if (has_pauses) out.add_first_tick(static_cast<std::int64_t>(row->sum.first_tick - tick));
        chunk = row->chunk + 1;
        index = row->sum.first_index + row->sum.rows;
        tick = row->sum.last_tick;
    }
}

void encode_lane(Lane rows, LaneRows& out) {
    out.set_channel(rows.front()->sum.channel.value);
    put_steps(out, rows);
    put(*out.mutable_ticks(), rows, [](const LaneSummary& sum) { return sum.last_tick - sum.first_tick; });
    put(*out.mutable_rows(), rows, [](const LaneSummary& sum) { return sum.rows; });
    put(*out.mutable_gap_rows(), rows, [](const LaneSummary& sum) { return sum.gap_rows; });
    put(*out.mutable_lost(), rows, [](const LaneSummary& sum) { return sum.lost; });
    put(*out.mutable_longest_pause(), rows, [](const LaneSummary& sum) { return sum.longest_pause; });
    put(*out.mutable_high_ticks(), rows, [](const LaneSummary& sum) { return sum.high_ticks; });
    put(*out.mutable_busy_ticks(), rows, [](const LaneSummary& sum) { return sum.busy_ticks; });
    put(*out.mutable_begins(), rows, [](const LaneSummary& sum) { return sum.begins; });
    put(*out.mutable_loose_ends(), rows, [](const LaneSummary& sum) { return sum.loose_ends; });
    put(*out.mutable_min(), rows, [](const LaneSummary& sum) { return sum.has_value ? sum.min : 0; });
    put(*out.mutable_max(), rows, [](const LaneSummary& sum) { return sum.has_value ? sum.max : 0; });
    put(*out.mutable_depth_before(), rows, [](const LaneSummary& sum) { return sum.depth_before; });
    put(*out.mutable_depth_after(), rows, [](const LaneSummary& sum) { return sum.depth_after; });
    put(*out.mutable_deepest(), rows, [](const LaneSummary& sum) { return sum.deepest; });
    put(*out.mutable_span_rows(), rows, [](const LaneSummary& sum) { return sum.span_rows; });
    put(*out.mutable_kinds(), rows, [](const LaneSummary& sum) { return sum.kinds; });
    put(*out.mutable_flags(), rows, [](const LaneSummary& sum) { return flags_of(sum); });
}

// Channel by channel, of each in order of the chunks: keys of a few bytes are sorted, not rows.
std::vector<const IndexRow*> by_channel(const std::vector<IndexRow>& rows) {
    std::vector<std::uint64_t> keys(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) keys[i] = std::uint64_t{rows[i].sum.channel.value} << 32 | i;
    std::sort(keys.begin(), keys.end());
    std::vector<const IndexRow*> sorted(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) sorted[i] = &rows[keys[i] & 0xffffffff];
    return sorted;
}

// Those at the beginning that are of one channel.
Lane first_channel(Lane rows) {
    const auto end = std::find_if(rows.begin(), rows.end(),
                                  [&](const IndexRow* row) { return row->sum.channel != rows.front()->sum.channel; });
    return rows.first(static_cast<std::size_t>(end - rows.begin()));
}

void put_by_chunk(std::span<const IndexRow> rows, Index& index) {
    std::vector<LaneSummary> of_chunk;
    for (auto at = rows.begin(); at != rows.end();) {
        of_chunk.clear();
        const std::uint32_t chunk = at->chunk;
        for (; at != rows.end() && at->chunk == chunk; ++at) of_chunk.push_back(at->sum);
        encode_lanes(of_chunk, *index.mutable_chunks(static_cast<int>(chunk)));
    }
}

template <typename Column, typename Value>
bool take(const Column& column, std::size_t count, std::vector<Value>& out) {
    out.assign(column.begin(), column.end());
    return out.empty() || out.size() == count;
}

bool take_chunks(const LaneRows& in, std::size_t count, std::uint32_t chunks, std::vector<std::uint32_t>& out) {
    if (in.skipped_size() != 0 && static_cast<std::size_t>(in.skipped_size()) != count) return false;
    out.resize(count);
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
        next += in.skipped_size() == 0 ? 0 : in.skipped(static_cast<int>(i));
        if (next >= chunks) return false;
        out[i] = static_cast<std::uint32_t>(next++);
    }
    return true;
}

// Ordinals and ticks from the distances between them.
bool take_steps(const LaneRows& in, std::size_t count, SummaryFields& out) {
    const bool has_indices = in.first_index_size() != 0;
    const bool has_pauses = in.first_tick_size() != 0;
    if (has_indices && static_cast<std::size_t>(in.first_index_size()) != count) return false;
    if (has_pauses && static_cast<std::size_t>(in.first_tick_size()) != count) return false;
    std::vector<std::uint64_t> ticks;
    if (!take(in.ticks(), count, ticks)) return false;
    out.first_index.resize(count);
    out.first_tick.resize(count);
    out.last_tick.resize(count);
    std::uint64_t index = in.base_index();
    std::uint64_t tick = in.base_tick();
    for (std::size_t i = 0; i < count; ++i) {
        if (has_indices) index += static_cast<std::uint64_t>(in.first_index(static_cast<int>(i)));
        if (has_pauses) tick += static_cast<std::uint64_t>(in.first_tick(static_cast<int>(i)));
        out.first_index[i] = index;
        out.first_tick[i] = tick;
        if (out.rows[i] == 0 || __builtin_add_overflow(tick, ticks.empty() ? 0 : ticks[i], &tick)) return false;
        out.last_tick[i] = tick;
        index += out.rows[i];
    }
    return true;
}

}  // namespace

void put_lanes(const std::vector<IndexRow>& rows, Index& index) {
    const std::vector<const IndexRow*> sorted = by_channel(rows);
    std::vector<Lane> lanes;
    for (Lane rest = sorted; !rest.empty(); rest = rest.subspan(lanes.back().size())) lanes.push_back(first_channel(rest));
    const bool is_worthwhile = !lanes.empty() && rows.size() >= kWorthwhile * lanes.size();
    index.set_version(is_worthwhile ? kByChannel : kByChunk);
    if (!is_worthwhile) return put_by_chunk(rows, index);
    for (const Lane lane : lanes) encode_lane(lane, *index.add_lanes());
}

bool is_known_version(const Index& index) {
    return index.version() == kByChannel || (index.version() == kByChunk && index.lanes().empty());
}

bool decode_lane(const LaneRows& in, std::uint32_t chunks, LaneBlock& out) {
    const auto count = static_cast<std::size_t>(in.rows_size());
    SummaryFields fields;
    std::vector<std::uint32_t> kinds;
    std::vector<std::uint32_t> flags;
    const bool is_whole = count > 0 && take_chunks(in, count, chunks, out.chunks) && take(in.rows(), count, fields.rows) &&
                          take_steps(in, count, fields) && take(in.gap_rows(), count, fields.gap_rows) &&
                          take(in.lost(), count, fields.lost) && take(in.longest_pause(), count, fields.longest_pause) &&
                          take(in.high_ticks(), count, fields.high_ticks) &&
                          take(in.busy_ticks(), count, fields.busy_ticks) && take(in.begins(), count, fields.begins) &&
                          take(in.loose_ends(), count, fields.loose_ends) && take(in.min(), count, fields.min) &&
                          take(in.max(), count, fields.max) && take(in.depth_before(), count, fields.depth_before) &&
                          take(in.depth_after(), count, fields.depth_after) && take(in.deepest(), count, fields.deepest) &&
                          take(in.span_rows(), count, fields.span_rows) && take(in.kinds(), count, kinds) &&
                          take(in.flags(), count, flags);
    if (!is_whole) return false;
    for (std::uint32_t& row : fields.span_rows) row = std::min<std::uint32_t>(row, kMaxSpanRows);
    fields.states.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        fields.states[i] = state_of(kinds.empty() ? 0 : kinds[i], flags.empty() ? 0 : flags[i]);
    out.summaries = SummaryColumns(ChannelId{in.channel()}, std::move(fields));
    return true;
}

bool decode_index(const Index& in, std::vector<ChunkDetail>& out) {
    if (!is_known_version(in)) return false;
    out.resize(static_cast<std::size_t>(in.chunks_size()));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (!decode_detail(in.chunks(static_cast<int>(i)), out[i])) return false;
    }
    LaneBlock block;
    for (const LaneRows& lane : in.lanes()) {
        if (!decode_lane(lane, static_cast<std::uint32_t>(out.size()), block)) return false;
        for (std::size_t i = 0; i < block.chunks.size(); ++i) out[block.chunks[i]].lanes.push_back(block.summaries[i]);
    }
    return true;
}

}  // namespace sla::capture
