// ChunkVisitor: shows a chunk's rows, or the sums over its intervals, as they come: nothing is kept. Any thread; one at a
// time. Private to the room.
#pragma once

#include "proto/capture/chunk_reader.h"
#include "viewer/ingest/pages/chunk_ledger.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace sla::ingest {

// Opens the ledger's chunks when they are not open yet, and can be.
void open_chunks(const ChunkLedger& ledger, std::optional<capture::ChunkReader>& reader);

class ChunkVisitor {
public:
    explicit ChunkVisitor(std::shared_ptr<const ChunkLedger> ledger) : ledger_(std::move(ledger)) {}

    // store::PageSource's.
    bool visit_intervals(std::uint32_t chunk, const store::PageSource::VisitIntervals& visit);
    bool visit_rows(std::uint32_t chunk, const std::vector<ChannelId>& channels, const store::PageSource::VisitRows& visit);

private:
    std::shared_ptr<const ChunkLedger> ledger_;
    std::mutex mutex_;  // of all that follows
    std::optional<capture::ChunkReader> reader_;
    capture::ChunkIntervals sums_;
};

}  // namespace sla::ingest
