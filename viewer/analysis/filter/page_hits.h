// PageHits: which rows of pages that stay in a file match a filter, without making the pages ready: a chunk is looked
// through once for all lanes (PageSource::visit_rows), and its hits are remembered as long as somebody asks for them.
//
// Owner: the session's thread. Memory: 4 bytes a hit of the chunks asked for between one look and the next.
#pragma once

#include "viewer/analysis/filter/column_filter.h"
#include "viewer/store/rows/page_table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace sla::analysis {

class PageHits {
public:
    // Both outlive it.
    PageHits(store::PageSource& source, const std::vector<const store::Lane*>& lanes) : source_(source), lanes_(lanes) {}

    // What the n-th lane's rows are held against; null: of that page nobody asks.
    using FilterOf = std::function<ColumnFilter*(std::size_t lane, const store::Page& page)>;
    // Looks through the pages in that chunk. Chunks that nobody has asked for since the last look are forgotten.
    void look_through(std::uint32_t chunk, const FilterOf& filter_of);

    struct Answer {
        enum class What : std::uint8_t { kNotLooked, kKnown, kCannotTell } what = What::kNotLooked;
        const std::vector<std::uint32_t>* rows = nullptr;  // kKnown: rising, from the page's first row on
    };
    // Of the n-th lane's page in that chunk. Stands until the next look_through().
    [[nodiscard]] Answer hits(std::size_t lane, std::uint32_t chunk) const;

private:
    struct Chunk {
        bool is_read = false;
        mutable bool is_asked_for = true;
        std::vector<std::vector<std::uint32_t>> by_lane;
    };

    store::PageSource& source_;
    const std::vector<const store::Lane*>& lanes_;
    std::map<std::uint32_t, Chunk> chunks_;
};

}  // namespace sla::analysis
