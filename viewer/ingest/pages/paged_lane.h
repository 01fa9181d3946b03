// One lane of a capture's index as the pages of a store's lane. Private to the room.
#pragma once

#include "proto/base/result.h"
#include "proto/capture/capture_index.h"
#include "viewer/store/rows/gap_table.h"
#include "viewer/store/rows/page_table.h"

#include <vector>

namespace sla::ingest {

// `open`: the spans of the channel that are open before the last page's first row. An error says what the index promises
// that no stream can hold, or what pages cannot show; the capture must then be read in order.
Result<void> make_pages(const capture::CaptureIndex::Lane& lane, const std::vector<capture::OpenSpan>& open,
                        store::PageTable& pages, store::GapTable& gaps);

}  // namespace sla::ingest
