#include "proto/base/how_many.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/formats/parquet/event_rows.h"
#include "viewer/formats/parquet/parquet.h"
#include "viewer/formats/source_facts.h"

namespace sla::formats {

namespace {

// What was only not kept is no loss.
std::uint64_t lost_by(const store::Lane& lane, const store::MergedRows::Row& row) {
    const store::Gap* const gap = lane.gap_at(row.index);  // null: the row cannot be read, and its value says how many
    if (gap == nullptr) return row.value;
    return gap->is_not_kept() ? 0 : gap->lost;
}

// A part of a capture that goes on in the next one reaches back to the one before, and does not say where the capture ends.
Result<ParquetPart> write_part(const store::Session& session, const analysis::Selection& selection, const PartPlan& plan,
                               bool reaches_back, Output& output, const Progress& progress) {
    analysis::EventWalk walk(session, selection, progress);
    parquet::EventRows rows(session, walk.lanes(),
                            reaches_back ? source_facts_text(session, walk.lanes()) : source_facts_text(session, selection));
    if (reaches_back) rows.reach_back(selection.from);
    ParquetPart part;
    while (!output.is_closed()) {
        const store::MergedRows::Row* row = walk.next_row();
        if (row == nullptr) break;
        part.is_full = part.rows >= plan.most_rows && row->tick != part.last_tick;
        if (part.is_full) break;
        if (part.rows == 0) part.first_tick = row->tick;
        part.last_tick = row->tick;
        ++part.rows;
        if (row->code == SLA_CODE_GAP) add_up(part.lost, lost_by(*walk.lanes()[row->lane], *row));
        if (auto put = rows.put(*row, output); !put.ok()) return put.error();
    }
    if (walk.stopped()) return unavailable("stopped; nothing was written");
    if (plan.is_wanted && !plan.is_wanted(part)) return part;
    if (auto finished = rows.finish(output); !finished.ok()) return finished.error();
    part.is_written = true;
    return part;
}

}  // namespace

Result<ExportReport> write_parquet(const store::Session& session, const analysis::Selection& selection, Output& output,
                                   const Progress& progress) {
    const auto part = write_part(session, selection, {}, false, output, progress);
    if (!part.ok()) return part.error();
    ExportReport report;
    report.events = part->rows;
    report.left_out.emplace_back(
        "parquet has the clock as one line; its readings, channels without events, shots and notes are not in it");
    return report;
}

Result<ParquetPart> write_parquet_part(const store::Session& session, const analysis::Selection& selection,
                                       const PartPlan& plan, Output& output, const Progress& progress) {
    return write_part(session, selection, plan, true, output, progress);
}

bool is_parquet(std::string_view head) {
    return head.starts_with(parquet::kMagic);
}

}  // namespace sla::formats
