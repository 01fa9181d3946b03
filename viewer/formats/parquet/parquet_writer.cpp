#include "viewer/analysis/event_walk.h"
#include "viewer/formats/parquet/event_rows.h"
#include "viewer/formats/parquet/parquet.h"

namespace sla::formats {

namespace {

struct RowLimit {
    std::uint64_t rows = UINT64_MAX;
    bool reaches_back = false;
};

Result<ParquetPart> write_part(const store::Session& session, const analysis::Selection& selection, const RowLimit& limit,
                               Output& output, const Progress& progress) {
    analysis::EventWalk walk(session, selection, progress);
    parquet::EventRows rows(session, walk.lanes());
    if (limit.reaches_back) rows.reach_back(selection.from);
    ParquetPart part;
    part.first_tick = part.until = selection.from;
    const store::MergedRows::Row* row = nullptr;
    while (!output.is_closed() && (row = walk.next_row()) != nullptr) {
        if (part.rows >= limit.rows && row->tick != part.last_tick) break;
        if (part.rows == 0) part.first_tick = row->tick;
        part.last_tick = row->tick;
        ++part.rows;
        if (row->code == SLA_CODE_GAP) part.lost += row->value;
        if (auto put = rows.put(*row, output); !put.ok()) return put.error();
    }
    if (walk.stopped()) return unavailable("stopped; nothing was written");
    if (row != nullptr) {
        part.until = row->tick;
    } else if (const auto last = analysis::last_final_tick(session, selection)) {
        part.until = std::max(part.until, *last == store::kNever ? *last : *last + 1);
    }
    if (auto finished = rows.finish(output); !finished.ok()) return finished.error();
    return part;
}

}  // namespace

Result<ExportReport> write_parquet(const store::Session& session, const analysis::Selection& selection, Output& output,
                                   const Progress& progress) {
    const auto part = write_part(session, selection, {}, output, progress);
    if (!part.ok()) return part.error();
    ExportReport report;
    report.events = part->rows;
    report.left_out.emplace_back(
        "parquet has the clock as one line; its readings, channels without events, shots and notes "
        "are not in it");
    return report;
}

Result<ParquetPart> write_parquet_part(const store::Session& session, const analysis::Selection& selection,
                                       std::uint64_t most_rows, Output& output, const Progress& progress) {
    return write_part(session, selection, {most_rows, true}, output, progress);
}

bool is_parquet(std::string_view head) {
    return head.starts_with(parquet::kMagic);
}

}  // namespace sla::formats
