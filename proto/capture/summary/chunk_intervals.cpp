#include "proto/capture/summary/chunk_intervals.h"

#include "proto/capture/summary.pb.h"
#include "proto/wire/frame_codec.h"

#include <algorithm>
#include <array>

namespace sla::capture {
namespace {

using Widths = Intervals::Widths;

constexpr std::uint32_t kGapBefore = 1 << 0;
constexpr std::uint32_t kGapAfter = 1 << 1;
constexpr std::uint32_t kHasSpans = 1 << 2;

bool has_spans(const IntervalSums& sums) {
    return sums.cut > 0 || sums.spans.count > 0;
}

void encode_widths(const WidthSums& sums, Widths& out) {
    out.add_bins(static_cast<std::uint32_t>(sums.bins.size()));
    if (sums.count == 0) return;
    out.add_min(sums.min);
    out.add_max(sums.max);
    out.add_sum(static_cast<std::uint64_t>(sums.sum));
    out.add_squares(static_cast<std::uint64_t>(sums.squares));
    out.add_squares_high(static_cast<std::uint64_t>(sums.squares >> 64));
    std::uint32_t before = 0;
    for (const WidthBin& bin : sums.bins) {
        out.add_bin_step(bin.bin - before);
        out.add_bin_count(bin.count);
        before = bin.bin;
    }
}

// Its memory is kept.
void empty(WidthSums& sums) {
    sums.count = sums.min = sums.max = 0;
    sums.sum = sums.squares = 0;
    sums.bins.clear();
}

// Takes row after row out of the columns.
class WidthsReader {
public:
    explicit WidthsReader(const Widths& in) : in_(in) {
        is_sound_ = in.bin_step_size() == in.bin_count_size();
        for (const int size : {in.max_size(), in.sum_size(), in.squares_size(), in.squares_high_size()})
            is_sound_ = is_sound_ && size == in.min_size();
    }

    bool next(WidthSums& out) {
        if (!is_sound_ || row_ >= in_.bins_size()) return false;
        const std::uint32_t bins = in_.bins(row_++);
        empty(out);
        if (bins == 0) return true;
        if (filled_ >= in_.min_size() || bins > static_cast<std::uint32_t>(in_.bin_step_size() - bin_)) return false;
        out.min = in_.min(filled_);
        out.max = in_.max(filled_);
        out.sum = in_.sum(filled_);
        out.squares = WideTicks{in_.squares_high(filled_)} << 64 | in_.squares(filled_);
        ++filled_;
        return take_bins(bins, out) && adds_up(out);
    }

private:
    bool take_bins(std::uint32_t bins, WidthSums& out) {
        out.bins.resize(bins);
        std::uint64_t number = 0;
        for (std::uint32_t i = 0; i < bins; ++i, ++bin_) {
            const std::uint32_t step = in_.bin_step(bin_);
            number += step;
            if (number >= kWidthBins || (step == 0 && i > 0) || in_.bin_count(bin_) == 0) return false;
            out.bins[i] = {static_cast<std::uint16_t>(number), in_.bin_count(bin_)};
            out.count += out.bins[i].count;
        }
        return true;
    }
    static bool adds_up(const WidthSums& sums) {
        return sums.min <= sums.max && width_bin(sums.min) == sums.bins.front().bin &&
               width_bin(sums.max) == sums.bins.back().bin && sums.sum >= WideTicks{sums.min} * sums.count &&
               sums.sum <= WideTicks{sums.max} * sums.count &&
               sums.squares / std::max<std::uint64_t>(sums.max, 1) <= sums.sum;
    }

    const Widths& in_;
    bool is_sound_ = false;
    int row_ = 0;
    int filled_ = 0;  // rows with widths so far
    int bin_ = 0;
};

bool columns_fit(const Intervals& in) {
    const int count = in.channel_size();
    const std::array sizes = {in.events_size(), in.first_tick_size(), in.ticks_size(), in.flags_size(), in.lossy_size()};
    const auto spans =
        std::count_if(in.flags().begin(), in.flags().end(), [](std::uint32_t flags) { return (flags & kHasSpans) != 0; });
    return std::all_of(sizes.begin(), sizes.end(), [count](int size) { return size == count; }) && in.cut_size() == spans;
}

}  // namespace

void encode_intervals(const ChunkIntervals& lanes, Intervals& out) {
    if (lanes.empty()) return;
    out.set_base_tick(lanes.front().sums.first_tick);
    for (const LaneIntervals& lane : lanes) {
        const IntervalSums& sums = lane.sums;
        out.add_channel(lane.channel.value);
        out.add_events(sums.events);
        out.add_first_tick(static_cast<std::int64_t>(sums.first_tick - out.base_tick()));
        out.add_ticks(sums.last_tick - sums.first_tick);
        out.add_flags((sums.gap_before ? kGapBefore : 0) | (sums.gap_after ? kGapAfter : 0) |
                      (has_spans(sums) ? kHasSpans : 0));
        out.add_lossy(sums.lossy);
        encode_widths(sums.widths, *out.mutable_widths());
        if (!has_spans(sums)) continue;
        out.add_cut(sums.cut);
        encode_widths(sums.spans, *out.mutable_spans());
    }
}

bool decode_intervals(const Intervals& in, ChunkIntervals& out) {
    if (!columns_fit(in)) return false;
    WidthsReader widths(in.widths());
    WidthsReader spans(in.spans());
    int with_spans = 0;
    out.resize(static_cast<std::size_t>(in.channel_size()));
    for (int i = 0; i < in.channel_size(); ++i) {
        LaneIntervals& lane = out[static_cast<std::size_t>(i)];
        IntervalSums& sums = lane.sums;
        lane.channel = ChannelId{in.channel(i)};
        sums.events = in.events(i);
        sums.first_tick = in.base_tick() + static_cast<std::uint64_t>(in.first_tick(i));
        sums.gap_before = (in.flags(i) & kGapBefore) != 0;
        sums.gap_after = (in.flags(i) & kGapAfter) != 0;
        sums.lossy = in.lossy(i);
        sums.cut = 0;
        empty(sums.spans);
        if (__builtin_add_overflow(sums.first_tick, in.ticks(i), &sums.last_tick) || !widths.next(sums.widths)) return false;
        if (sums.lossy > sums.events || sums.lossy + sums.widths.count + (sums.events > 0 ? 1 : 0) != sums.events)
            return false;
        if ((in.flags(i) & kHasSpans) == 0) continue;
        sums.cut = in.cut(with_spans++);
        if (!spans.next(sums.spans)) return false;
    }
    return true;
}

bool read_intervals(std::string_view summary, std::uint64_t sequence, ChunkIntervals& out) {
    SummaryIntervals message;
    return wire::parse_message(summary, message) && message.sequence() == sequence && message.has_intervals() &&
           decode_intervals(message.intervals(), out);
}

}  // namespace sla::capture
