#include "proto/capture/summary/chunk_singles.h"

#include <algorithm>
#include <array>

namespace sla::capture {

namespace {

template <typename Sizes>
bool all_are(int count, const Sizes& columns) {
    return std::all_of(columns.begin(), columns.end(), [count](int size) { return size == count; });
}

}  // namespace

void encode_open(const std::vector<OpenSpan>& spans, ChunkSummary::Spans& out) {
    for (const OpenSpan& span : spans) {
        out.add_channel(span.channel.value);
        out.add_begin_tick(span.begin_tick);
        out.add_value(span.value);
        out.add_thread(span.thread);
        out.add_code(span.code);
        out.add_row(span.row);
        out.add_depth(span.depth);
        out.add_id(span.id);
        out.add_begin_index(span.begin_index);
    }
}

bool decode_open(const ChunkSummary::Spans& in, std::vector<OpenSpan>& out) {
    const int count = in.channel_size();
    if (!all_are(count, std::array{in.begin_tick_size(), in.value_size(), in.thread_size(), in.code_size()})) return false;
    const bool numbered = in.id_size() == count;  // not in the first files of version 2
    const int numbers = numbered ? count : 0;
    if (!all_are(numbers, std::array{in.row_size(), in.depth_size(), in.id_size(), in.begin_index_size()})) return false;
    for (int i = 0; i < count; ++i) {
        const std::uint32_t code = in.code(i);
        if (code != SLA_CODE_BEGIN && code != SLA_CODE_BEGIN_VALUE) return false;
        OpenSpan& span = out.emplace_back();
        span.channel = ChannelId{in.channel(i)};
        span.begin_tick = in.begin_tick(i);
        span.value = in.value(i);
        span.thread = in.thread(i);
        span.code = static_cast<std::uint8_t>(code);
        if (!numbered) continue;
        if (in.row(i) >= kMaxSpanRows) return false;
        span.row = static_cast<std::uint16_t>(in.row(i));
        span.depth = static_cast<std::uint16_t>(in.depth(i));
        span.id = in.id(i);
        span.begin_index = in.begin_index(i);
    }
    return true;
}

void encode_crossed(const std::vector<CrossedSpan>& spans, ChunkSummary::Crossed& out) {
    for (const CrossedSpan& crossed : spans) {
        out.add_channel(crossed.span.channel.value);
        out.add_id(crossed.span.id);
        out.add_begin_index(crossed.span.begin_index);
        out.add_begin_tick(crossed.span.begin_tick);
        out.add_rows(crossed.end_index - crossed.span.begin_index);
        out.add_ticks(crossed.end_tick - crossed.span.begin_tick);
        out.add_thread(crossed.span.thread);
        out.add_row(crossed.span.row);
        out.add_depth(crossed.span.depth);
        out.add_cut(crossed.cut);
    }
}

bool decode_crossed(const ChunkSummary::Crossed& in, std::vector<CrossedSpan>& out) {
    const int count = in.channel_size();
    if (!all_are(count, std::array{in.id_size(), in.begin_index_size(), in.begin_tick_size(), in.rows_size(),
                                   in.ticks_size(), in.thread_size(), in.row_size(), in.depth_size(), in.cut_size()})) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        CrossedSpan& crossed = out.emplace_back();
        crossed.span = {ChannelId{in.channel(i)},
                        in.begin_tick(i),
                        0,
                        in.thread(i),
                        SLA_CODE_BEGIN,
                        static_cast<std::uint16_t>(in.row(i)),
                        static_cast<std::uint16_t>(in.depth(i)),
                        in.id(i),
                        in.begin_index(i)};
        crossed.cut = in.cut(i);
        if (in.row(i) >= kMaxSpanRows || __builtin_add_overflow(crossed.span.begin_tick, in.ticks(i), &crossed.end_tick) ||
            __builtin_add_overflow(crossed.span.begin_index, in.rows(i), &crossed.end_index)) {
            return false;
        }
    }
    return true;
}

void encode_gaps(const std::vector<GapRow>& gaps, ChunkSummary::Gaps& out) {
    for (const GapRow& gap : gaps) {
        out.add_channel(gap.channel.value);
        out.add_index(gap.index);
        out.add_tick(gap.tick);
        out.add_until_tick(gap.until_tick);
        out.add_lost(gap.lost);
        out.add_thread(gap.thread);
        out.add_cause(static_cast<std::uint32_t>(gap.cause));
    }
}

bool decode_gaps(const ChunkSummary::Gaps& in, std::vector<GapRow>& out) {
    const int count = in.channel_size();
    if (!all_are(count, std::array{in.index_size(), in.tick_size(), in.until_tick_size(), in.lost_size(), in.thread_size(),
                                   in.cause_size()})) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        if (in.cause(i) > static_cast<std::uint32_t>(wire::kLastLossCause)) return false;
        out.push_back({ChannelId{in.channel(i)}, in.index(i), in.tick(i), in.until_tick(i), in.lost(i), in.thread(i),
                       static_cast<wire::LossCause>(in.cause(i))});
    }
    return true;
}

}  // namespace sla::capture
