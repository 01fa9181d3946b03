#include "proto/capture/summary/chunk_summary.h"

#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/chunk_singles.h"
#include "proto/capture/summary/summary_columns.h"
#include "proto/wire/event.h"
#include "proto/wire/frame_codec.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>

namespace sla::capture {
namespace {

using Rows = ChunkSummary::Rows;

void encode_row(const LaneSummary& row, Rows& out) {
    out.add_channel(row.channel.value);
    out.add_first_index(row.first_index);
    out.add_first_tick(static_cast<std::int64_t>(row.first_tick - out.base_tick()));
    out.add_ticks(row.last_tick - row.first_tick);
    out.add_rows(row.rows);
    out.add_gap_rows(row.gap_rows);
    out.add_lost(row.lost);
    out.add_longest_pause(row.longest_pause);
    out.add_high_ticks(row.high_ticks);
    out.add_busy_ticks(row.busy_ticks);
    out.add_depth_before(row.depth_before);
    out.add_depth_after(row.depth_after);
    out.add_deepest(row.deepest);
    out.add_kinds(row.kinds);
    out.add_flags(flags_of(row));
    out.add_begins(row.begins);
    out.add_loose_ends(row.loose_ends);
    out.add_span_rows(row.span_rows);
    if (!row.has_value) return;
    out.add_min(row.min);
    out.add_max(row.max);
}

void encode_rows(const std::vector<LaneSummary>& rows, Rows& out) {
    if (!rows.empty()) out.set_base_tick(rows.front().first_tick);
    for (const LaneSummary& row : rows) encode_row(row, out);
}

// The first files of version 2 say nothing of spans.
bool counts_spans(const Rows& in) {
    return in.begins_size() == in.channel_size();
}

bool columns_fit(const Rows& in) {
    const int count = in.channel_size();
    for (const int size :
         {in.first_index_size(), in.first_tick_size(), in.ticks_size(), in.rows_size(), in.gap_rows_size(), in.lost_size(),
          in.longest_pause_size(), in.high_ticks_size(), in.busy_ticks_size(), in.depth_before_size(), in.depth_after_size(),
          in.deepest_size(), in.kinds_size(), in.flags_size()}) {
        if (size != count) return false;
    }
    const int spans = in.begins_size();
    if ((spans != count && spans != 0) || in.loose_ends_size() != spans || in.span_rows_size() != spans) return false;
    const auto values = std::count_if(in.flags().begin(), in.flags().end(),
                                      [](std::uint32_t flags) { return state_of(0, flags).has_value; });
    return in.min_size() == values && in.max_size() == values;
}

// False for what no summary says.
bool decode_row(const Rows& in, int i, LaneSummary& row) {
    row.channel = ChannelId{in.channel(i)};
    row.first_index = in.first_index(i);
    row.first_tick = in.base_tick() + static_cast<std::uint64_t>(in.first_tick(i));
    row.rows = in.rows(i);
    row.gap_rows = in.gap_rows(i);
    row.lost = in.lost(i);
    row.longest_pause = in.longest_pause(i);
    row.high_ticks = in.high_ticks(i);
    row.busy_ticks = in.busy_ticks(i);
    row.depth_before = in.depth_before(i);
    row.depth_after = in.depth_after(i);
    row.deepest = in.deepest(i);
    state_of(in.kinds(i), in.flags(i)).put_into(row);
    if (counts_spans(in)) {
        row.begins = in.begins(i);
        row.loose_ends = in.loose_ends(i);
        row.span_rows = std::min<std::uint32_t>(in.span_rows(i), kMaxSpanRows);
    } else {
        row.opaque = true;
    }
    return row.rows > 0 && !__builtin_add_overflow(row.first_tick, in.ticks(i), &row.last_tick);
}

bool decode_rows(const Rows& in, std::vector<LaneSummary>& out) {
    if (!columns_fit(in)) return false;
    int value = 0;
    for (int i = 0; i < in.channel_size(); ++i) {
        LaneSummary& row = out.emplace_back();
        if (!decode_row(in, i, row)) return false;
        if (!row.has_value) continue;
        row.min = in.min(value);
        row.max = in.max(value++);
    }
    return true;
}

bool take_counted(int number, std::string_view field, ChunkDetail& out) {
    switch (number) {
        case ChunkSummary::kLanesFieldNumber: {
            Rows rows;
            return wire::parse_message(field, rows) && decode_rows(rows, out.lanes);
        }
        case ChunkSummary::kGapsFieldNumber: {
            ChunkSummary::Gaps gaps;
            return wire::parse_message(field, gaps) && decode_gaps(gaps, out.gaps);
        }
        case ChunkSummary::kLastingFieldNumber: out.lasting.emplace_back(field); return true;
        default: return true;
    }
}

}  // namespace

void encode_lanes(const std::vector<LaneSummary>& lanes, ChunkSummary& out) {
    encode_rows(lanes, *out.mutable_lanes());
}

void encode_entry(const ChunkDetail& detail, ChunkSummary& out) {
    out.set_sequence(detail.place.sequence);
    out.set_offset(detail.place.offset);
    out.set_stored_bytes(detail.place.stored_bytes);
    out.set_frames(detail.place.frames);
    if (!detail.crossed.empty()) encode_crossed(detail.crossed, *out.mutable_crossed());
    if (!detail.gaps.empty()) encode_gaps(detail.gaps, *out.mutable_gaps());
    for (const std::string& frame : detail.lasting) out.add_lasting(frame);
}

void encode_detail(const ChunkDetail& detail, ChunkSummary& out) {
    encode_entry(detail, out);
    encode_lanes(detail.lanes, out);
    if (!detail.cells.empty()) encode_rows(detail.cells, *out.mutable_cells());
    if (!detail.open.empty()) encode_open(detail.open, *out.mutable_open());
    if (!detail.intervals.empty()) encode_intervals(detail.intervals, *out.mutable_intervals());
}

bool read_counts(std::string_view summary, ChunkDetail& out) {
    using google::protobuf::internal::WireFormatLite;
    out = {};
    google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(summary.data()),
                                              static_cast<int>(summary.size()));
    for (std::uint32_t tag = in.ReadTag(); tag != 0; tag = in.ReadTag()) {
        const WireFormatLite::WireType type = WireFormatLite::GetTagWireType(tag);
        if (type == WireFormatLite::WIRETYPE_VARINT || type == WireFormatLite::WIRETYPE_FIXED64) {
            if (!WireFormatLite::SkipField(&in, tag)) return false;
            continue;
        }
        std::uint32_t bytes = 0;
        if (type != WireFormatLite::WIRETYPE_LENGTH_DELIMITED || !in.ReadVarint32(&bytes)) return false;
        const auto at = static_cast<std::size_t>(in.CurrentPosition());
        if (bytes > summary.size() - at || !in.Skip(static_cast<int>(bytes))) return false;
        if (!take_counted(WireFormatLite::GetTagFieldNumber(tag), summary.substr(at, bytes), out)) return false;
    }
    return in.ConsumedEntireMessage();
}

EventCount count_events(const ChunkDetail& detail) {
    EventCount count;
    for (const LaneSummary& lane : detail.lanes) {
        if (lane.rows == 0) continue;
        count.first_tick = count.rows == 0 ? lane.first_tick : std::min(count.first_tick, lane.first_tick);
        count.last_tick = std::max(count.last_tick, lane.last_tick);
        count.rows += lane.rows;
        count.events += lane.rows - std::min(lane.gap_rows, lane.rows);
    }
    for (const GapRow& gap : detail.gaps) {
        const bool is_of_reader = gap.cause == wire::LossCause::kLagged || gap.cause == wire::LossCause::kNotKept;
        if (is_of_reader) count.missed += gap.lost;
    }
    return count;
}

ChunkPlace place_of(const ChunkSummary& in) {
    return {in.sequence(), in.offset(), in.stored_bytes(), in.frames()};
}

// What `out` holds of memory is used again.
bool decode_detail(const ChunkSummary& in, ChunkDetail& out) {
    out.place = place_of(in);
    out.lanes.clear();
    out.cells.clear();
    out.open.clear();
    out.crossed.clear();
    out.gaps.clear();
    out.intervals.clear();
    out.lasting.assign(in.lasting().begin(), in.lasting().end());
    return decode_rows(in.lanes(), out.lanes) && decode_rows(in.cells(), out.cells) && decode_open(in.open(), out.open) &&
           decode_crossed(in.crossed(), out.crossed) && decode_gaps(in.gaps(), out.gaps);
}

}  // namespace sla::capture
