#include "viewer/analysis/page_hits.h"

#include "viewer/store/session.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

namespace {

const store::Page* page_in(const store::Lane& lane, std::uint32_t chunk) {
    if (lane.pages() == nullptr) return nullptr;
    const std::vector<store::Page>& pages = lane.pages()->pages();
    const auto at = std::lower_bound(pages.begin(), pages.end(), chunk,
                                     [](const store::Page& page, std::uint32_t wanted) { return page.chunk < wanted; });
    return at == pages.end() || at->chunk != chunk ? nullptr : &*at;
}

}  // namespace

PageHits::PageHits(const EventFilter& filter, const store::Session& session, const std::vector<const store::Lane*>& lanes)
    : session_(session), lanes_(lanes), can_look_(session.page_source() != nullptr) {
    for (const store::Lane* lane : lanes) {
        filters_.emplace_back(filter, session, *lane);
        can_look_ &= !filters_.back().needs_texts();
    }
}

void PageHits::match(std::size_t lane, std::uint64_t first, const store::Columns& rows, std::uint64_t page_first,
                     Chunk& out) {
    ColumnFilter::Hits hits;
    for (std::size_t done = 0; done < rows.rows; done += ColumnFilter::kBlock) {
        const store::Columns block{std::min(ColumnFilter::kBlock, rows.rows - done), rows.ticks + done, rows.values + done,
                                   rows.threads + done, rows.codes + done};
        filters_[lane].match(block, first + done, hits);
        const auto end = hits.begin() + block.rows;
        for (auto hit = std::find(hits.begin(), end, 1); hit != end; hit = std::find(hit + 1, end, 1)) {
            const auto row = static_cast<std::uint64_t>(hit - hits.begin());
            out.by_lane[lane].push_back(static_cast<std::uint32_t>(first - page_first + done + row));
        }
    }
}

void PageHits::look_through(std::uint32_t chunk, const MayHit& may_hit) {
    std::erase_if(chunks_, [](const auto& known) { return !std::exchange(known.second.is_asked_for, false); });
    Chunk& out = chunks_[chunk];
    out.by_lane.assign(lanes_.size(), {});
    std::vector<ChannelId> channels;
    std::vector<std::pair<std::size_t, std::uint64_t>> asked;  // lane, its page's first row
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const store::Page* const page = page_in(*lanes_[i], chunk);
        if (page == nullptr || !may_hit(i, *page)) continue;
        channels.push_back(lanes_[i]->channel().id);
        asked.emplace_back(i, page->first);
    }
    out.is_told = channels.empty() ||
                  session_.page_source()->visit_rows(
                      chunk, channels, [&](ChannelId channel, std::uint64_t first, const store::Columns& rows) {
                          const auto at = std::lower_bound(channels.begin(), channels.end(), channel) - channels.begin();
                          const auto [lane, page_first] = asked[static_cast<std::size_t>(at)];
                          match(lane, first, rows, page_first, out);
                      });
}

PageHits::Answer PageHits::hits(std::size_t lane, std::uint32_t chunk) const {
    const auto found = chunks_.find(chunk);
    if (found == chunks_.end()) return {};
    found->second.is_asked_for = true;
    if (!found->second.is_told) return {Answer::What::kCannotTell};
    return {Answer::What::kKnown, &found->second.by_lane[lane]};
}

}  // namespace sla::analysis
