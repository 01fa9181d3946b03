#include "viewer/analysis/chunk_walk.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sla::analysis {

namespace {

constexpr std::uint32_t kInMemory = ~std::uint32_t{0};

std::vector<Rest> rests_of(const Selection& selection) {
    std::vector<Rest> rests;
    for (std::size_t i = 0; i < selection.lanes.size(); ++i) {
        const store::Lane& lane = *selection.lanes[i];
        rests.push_back({kInMemory, i});
        if (lane.pages() == nullptr) continue;
        const store::PageColumns& pages = lane.pages()->pages();
        for (std::uint32_t number = 0; number < pages.size(); ++number) {
            const store::Page page = pages[number];
            const bool touches = page.last_tick >= selection.from && page.first_tick < selection.until;
            if (!touches) continue;
            const bool whole = page.first_tick >= selection.from && page.last_tick < selection.until;
            rests.push_back({page.chunk, i, page.end(), page.first_span + page.begins, whole ? number : Rest::kNotWhole});
        }
    }
    std::sort(rests.begin(), rests.end(),
              [](const Rest& a, const Rest& b) { return std::tuple(a.chunk, a.lane) < std::tuple(b.chunk, b.lane); });
    return rests;
}

}  // namespace

ChunkPlan::ChunkPlan(const store::Session& session, const Selection& selection, bool from_sums)
    : session_(session),
      selection_(selection),
      from_sums_(from_sums && session.page_source() != nullptr),
      rests_(rests_of(selection)) {
    if (session.page_source() == nullptr) return;
    narrow();
    if (from_sums_) fetch_ends();
}

ChunkPlan::~ChunkPlan() {
    for (const std::uint32_t chunk : narrowed_) session_.page_source()->narrow(chunk, {});
}

// What will not be asked for need not be made ready.
void ChunkPlan::narrow() {
    each_chunk([this](std::span<const Rest> rests) {
        if (rests.front().chunk != kInMemory) narrow(rests);
        return true;
    });
}

// Where the range begins or ends for some lane in a chunk, the other lanes have their sums.
void ChunkPlan::narrow(std::span<const Rest> rests) {
    std::vector<ChannelId> edges;
    std::vector<ChannelId> all;
    for (const Rest& rest : rests) {
        const ChannelId channel = selection_.lanes[rest.lane]->channel().id;
        all.push_back(channel);
        if (!rest.is_whole()) edges.push_back(channel);
    }
    const bool few = selection_.lanes.size() < session_.lanes().size();
    if (!few && (!from_sums_ || edges.empty())) return;
    session_.page_source()->narrow(rests.front().chunk, from_sums_ && !edges.empty() ? std::move(edges) : std::move(all));
    narrowed_.push_back(rests.front().chunk);
}

// The pages in which the range ends will be read last: they may come meanwhile.
void ChunkPlan::fetch_ends() const {
    for (const store::Lane* lane : selection_.lanes) {
        const store::PageTable* const pages = lane->pages();
        if (pages == nullptr || selection_.until > pages->last_tick()) continue;
        const std::size_t last = pages->page_at(selection_.until);
        if (pages->pages()[last].first_tick < selection_.until) static_cast<void>(lane->find_page(last));
    }
}

void ChunkPlan::visit_sums(std::span<const Rest> rests, const VisitSums& visit) const {
    const bool any = std::any_of(rests.begin(), rests.end(), [](const Rest& rest) { return rest.is_whole(); });
    if (!from_sums_ || !any) return;
    const auto before = [this](const Rest& rest, ChannelId wanted) {
        return selection_.lanes[rest.lane]->channel().id < wanted;
    };
    session_.page_source()->visit_intervals(rests.front().chunk, [&](ChannelId channel, const IntervalSums& sums) {
        const auto at = std::lower_bound(rests.begin(), rests.end(), channel, before);
        if (at == rests.end() || !at->is_whole() || selection_.lanes[at->lane]->channel().id != channel) return;
        visit(at->lane, selection_.lanes[at->lane]->pages()->pages()[at->page], sums);
    });
}

}  // namespace sla::analysis
