#include "viewer/analysis/filter/page_hits.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sla::analysis {

namespace {

// The places of the rows that match, counted from the page's first row.
void add_hits(ColumnFilter& filter, std::uint64_t page_first, std::uint64_t first, const store::Columns& rows,
              std::vector<std::uint32_t>& out) {
    ColumnFilter::Hits hits;
    for (std::size_t done = 0; done < rows.rows; done += ColumnFilter::kBlock) {
        const store::Columns block{std::min(ColumnFilter::kBlock, rows.rows - done), rows.ticks + done, rows.values + done,
                                   rows.threads + done, rows.codes + done};
        filter.match(block, first + done, hits);
        const auto end = hits.begin() + block.rows;
        for (auto hit = std::find(hits.begin(), end, 1); hit != end; hit = std::find(hit + 1, end, 1)) {
            const auto row = static_cast<std::uint64_t>(hit - hits.begin());
            out.push_back(static_cast<std::uint32_t>(first - page_first + done + row));
        }
    }
}

}  // namespace

void PageHits::look_through(std::uint32_t chunk, const FilterOf& filter_of) {
    struct Asked {
        std::size_t lane;
        std::uint64_t page_first;
        ColumnFilter* filter;
    };
    std::erase_if(chunks_, [](const auto& known) { return !std::exchange(known.second.is_asked_for, false); });
    Chunk& out = chunks_[chunk];
    out.by_lane.assign(lanes_.size(), {});
    std::vector<ChannelId> channels;
    std::vector<Asked> asked;  // by place in `channels`
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const store::PageTable* const pages = lanes_[i]->pages();
        const std::optional<store::Page> page = pages == nullptr ? std::nullopt : pages->page_in_chunk(chunk);
        ColumnFilter* const filter = page ? filter_of(i, *page) : nullptr;
        if (filter == nullptr) continue;
        channels.push_back(lanes_[i]->channel().id);
        asked.push_back({i, page->first, filter});
    }
    const auto match = [&](ChannelId channel, std::uint64_t first, const store::Columns& rows) {
        const auto at = std::lower_bound(channels.begin(), channels.end(), channel) - channels.begin();
        const Asked& of = asked[static_cast<std::size_t>(at)];
        add_hits(*of.filter, of.page_first, first, rows, out.by_lane[of.lane]);
    };
    out.is_read = channels.empty() || source_.visit_rows(chunk, channels, match);
}

PageHits::Answer PageHits::hits(std::size_t lane, std::uint32_t chunk) const {
    const auto found = chunks_.find(chunk);
    if (found == chunks_.end()) return {};
    found->second.is_asked_for = true;
    if (!found->second.is_read) return {Answer::What::kCannotTell};
    return {Answer::What::kKnown, &found->second.by_lane[lane]};
}

}  // namespace sla::analysis
