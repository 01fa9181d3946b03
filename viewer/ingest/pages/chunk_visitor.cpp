#include "viewer/ingest/pages/chunk_visitor.h"

#include "viewer/ingest/pages/chunk_decoder.h"

#include <algorithm>

namespace sla::ingest {

namespace {

void visit_run(const store::Run& rows, ChannelId channel, const store::PageSource::VisitRows& visit) {
    for (std::uint64_t at = rows.first_index(); at < rows.end_index();) {
        const store::Columns columns = rows.columns_from(at);
        visit(channel, at, columns);
        at += columns.rows;
    }
}

}  // namespace

void open_chunks(const ChunkLedger& ledger, std::optional<capture::ChunkReader>& reader) {
    if (reader) return;
    if (Result<capture::ChunkReader> opened = ledger.open_chunks()) reader.emplace(std::move(*opened));
}

bool ChunkVisitor::visit_intervals(std::uint32_t chunk, const store::PageSource::VisitIntervals& visit) {
    if (!ledger_->has_intervals()) return false;
    const std::lock_guard lock(mutex_);
    open_chunks(*ledger_, reader_);
    if (!reader_ || !reader_->intervals(ledger_->place_of(chunk), sums_)) return false;
    for (const capture::LaneIntervals& lane : sums_) visit(lane.channel, lane.sums);
    return true;
}

bool ChunkVisitor::visit_rows(std::uint32_t chunk, const std::vector<ChannelId>& channels,
                              const store::PageSource::VisitRows& visit) {
    if (const auto rows = ledger_->rows_in_memory(chunk)) {
        const ChannelId channel = ledger_->parts_of(chunk).front().channel;
        if (std::binary_search(channels.begin(), channels.end(), channel)) visit_run(*rows, channel, visit);
        return true;
    }
    const std::lock_guard lock(mutex_);
    open_chunks(*ledger_, reader_);
    return chunk < ledger_->chunk_count() && reader_ && scan_chunk(*ledger_, chunk, *reader_, channels, visit);
}

}  // namespace sla::ingest
