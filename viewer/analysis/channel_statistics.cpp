#include "viewer/analysis/interval_walks.h"
#include "viewer/analysis/statistics.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace sla::analysis {

namespace {

// One lane while its intervals are collected.
struct LaneWalks {
    LaneWalks(const store::Lane& of, const Selection& range, const Overhead& overhead)
        : lane(&of), channel(of, range), spans(of, range) {
        of_channel.overhead = of_spans.overhead = overhead;
        of_channel.lost_events = of_spans.lost_events = lost_in(of, range);
    }
    void go_on(std::uint64_t row, std::uint64_t span) {
        channel.go_on(row, Collect{of_channel});
        spans.go_on(span, Collect{of_spans});
    }
    // False: its rows must be read.
    bool pass(const store::Page& page, const IntervalSums& sums) {
        if (!channel.can_pass(page, sums) || !spans.can_pass(page, sums)) return false;
        channel.pass(page, sums, Collect{of_channel}, of_channel);
        spans.pass(page, sums, Collect{of_spans}, of_spans);
        return true;
    }

    const store::Lane* lane;
    ChannelWalk channel;
    SpanWalk spans;
    Intervals of_channel;
    Intervals of_spans;
};

// Where a lane's walks rest: behind its page in this chunk of the file.
struct Rest {
    std::uint32_t chunk = 0;
    std::size_t lane = 0;
    std::uint64_t row = store::kNever;
    std::uint64_t span = store::kNever;
    const store::Page* page = nullptr;  // when all of it lies in the selection
};

// Chunk by chunk, all lanes of a chunk one after the other; what is in memory comes last.
std::vector<Rest> rests_of(const Selection& selection) {
    constexpr std::uint32_t kLast = ~std::uint32_t{0};
    std::vector<Rest> rests;
    for (std::size_t i = 0; i < selection.lanes.size(); ++i) {
        const store::Lane& lane = *selection.lanes[i];
        rests.push_back({kLast, i});
        if (lane.pages() == nullptr) continue;
        for (const store::Page& page : lane.pages()->pages()) {
            const bool touches = page.last_tick >= selection.from && page.first_tick < selection.until;
            if (!touches) continue;
            const bool whole = page.first_tick >= selection.from && page.last_tick < selection.until;
            rests.push_back({page.chunk, i, page.end(), page.first_span + page.begins, whole ? &page : nullptr});
        }
    }
    std::sort(rests.begin(), rests.end(),
              [](const Rest& a, const Rest& b) { return std::tuple(a.chunk, a.lane) < std::tuple(b.chunk, b.lane); });
    return rests;
}

class Collector {
public:
    Collector(const store::Session& session, const Selection& selection, const StatisticsOptions& options)
        : session_(session), selection_(selection), options_(options), rests_(rests_of(selection)) {
        if (uses_sums()) {
            narrow();
            for (const store::Lane* lane : selection.lanes) fetch_end(*lane, selection);
        }
        walks_.reserve(selection.lanes.size());
        for (const store::Lane* lane : selection.lanes) {
            walks_.emplace_back(*lane, selection, Overhead{overhead_ticks(session, *lane), options.subtract_overhead});
        }
    }

    ~Collector() {
        for (const std::uint32_t chunk : narrowed_) session_.page_source()->narrow(chunk, {});
    }
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    void run() {
        for (std::size_t begin = 0; begin < rests_.size();) {
            if (options_.progress && !options_.progress(static_cast<double>(begin) / static_cast<double>(rests_.size())))
                return;
            std::size_t end = begin;
            while (end < rests_.size() && rests_[end].chunk == rests_[begin].chunk) ++end;
            take_chunk(std::span(rests_).subspan(begin, end - begin));
            begin = end;
        }
    }

    [[nodiscard]] std::vector<LaneWalks>& walks() { return walks_; }

private:
    [[nodiscard]] bool uses_sums() const {
        return options_.from_sums && !options_.subtract_overhead && !options_.cull && session_.page_source() != nullptr;
    }
    // Of the chunks in which the range begins or ends for some lane, the other lanes are not read.
    void narrow() {
        for (std::size_t begin = 0; begin < rests_.size() && rests_[begin].span != store::kNever;) {
            const std::uint32_t chunk = rests_[begin].chunk;
            std::vector<ChannelId> channels;
            for (; begin < rests_.size() && rests_[begin].chunk == chunk; ++begin) {
                if (rests_[begin].page == nullptr) channels.push_back(lane_of(rests_[begin]).channel().id);
            }
            if (channels.empty()) continue;
            session_.page_source()->narrow(chunk, std::move(channels));
            narrowed_.push_back(chunk);
        }
    }
    // The page in which the range ends will be read last: it may come meanwhile.
    static void fetch_end(const store::Lane& lane, const Selection& range) {
        const store::PageTable* const pages = lane.pages();
        if (pages == nullptr || range.until > pages->last_tick()) return;
        const std::size_t last = pages->page_at(range.until);
        if (pages->pages()[last].first_tick < range.until) static_cast<void>(lane.find_page(last));
    }
    // The rests in one chunk of the file, rising by lane.
    void take_chunk(std::span<Rest> rests) {
        if (uses_sums()) pass_pages(rests);
        for (const Rest& rest : rests) walks_[rest.lane].go_on(rest.row, rest.span);
    }
    // Takes the sums of those that have them; to go on from there to the same place is nothing more.
    void pass_pages(std::span<Rest> rests) {
        const bool any = std::any_of(rests.begin(), rests.end(), [](const Rest& rest) { return rest.page != nullptr; });
        if (!any) return;
        session_.page_source()->visit_intervals(rests.front().chunk, [&](ChannelId channel, const IntervalSums& sums) {
            const auto at =
                std::lower_bound(rests.begin(), rests.end(), channel,
                                 [this](const Rest& rest, ChannelId wanted) { return lane_of(rest).channel().id < wanted; });
            if (at == rests.end() || at->page == nullptr || lane_of(*at).channel().id != channel) return;
            walks_[at->lane].pass(*at->page, sums);
        });
    }

    [[nodiscard]] const store::Lane& lane_of(const Rest& rest) const { return *selection_.lanes[rest.lane]; }

    const store::Session& session_;
    const Selection& selection_;
    const StatisticsOptions& options_;
    std::vector<std::uint32_t> narrowed_;
    std::vector<Rest> rests_;
    std::vector<LaneWalks> walks_;
};

// Where only bins are known of some, more is not known of all.
Intervals settled(Intervals intervals) {
    if (!intervals.binned.empty()) intervals.binned.add(std::exchange(intervals.widths, {}));
    return intervals;
}

}  // namespace

std::vector<LaneIntervals> lane_intervals(const store::Session& session, const Selection& selection,
                                          const StatisticsOptions& options) {
    Collector collector(session, selection, options);
    collector.run();
    std::vector<LaneIntervals> lanes;
    for (LaneWalks& walk : collector.walks()) {
        lanes.push_back({walk.lane, settled(std::move(walk.of_channel)), settled(std::move(walk.of_spans))});
    }
    return lanes;
}

std::vector<StatisticsRow> statistics_of(std::vector<LaneIntervals>& lanes, const store::Session& session, bool cull) {
    std::vector<StatisticsRow> rows;
    for (LaneIntervals& of : lanes) {
        const std::string& name = of.lane->channel().name;
        Statistics numbers = statistics_of(of.of_channel, session, cull);
        numbers.lost = of.of_channel.lost_events;
        rows.push_back({name, "", numbers});
        if (!of.lane->spans().empty()) rows.push_back({name, "begin:end", statistics_of(of.of_spans, session, cull)});
    }
    return rows;
}

std::vector<StatisticsRow> channel_statistics(const store::Session& session, const Selection& selection,
                                              const StatisticsOptions& options) {
    std::vector<LaneIntervals> lanes = lane_intervals(session, selection, options);
    return statistics_of(lanes, session, options.cull);
}

}  // namespace sla::analysis
