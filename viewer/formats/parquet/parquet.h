// Apache Parquet: the event table as typed columns for DuckDB, ClickHouse, pandas and whatever else reads it.
//
// Dictionary-coded names, delta-coded ticks, zstd; row groups of 131,072 rows with bounds and counts of nulls; rows in order of
// tick, which the metadata says. A loss is a row of kind `gap`, its value the number lost.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/output.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sla::formats {

// Writes and finishes. Memory: one row group, whatever the capture's size.
Result<ExportReport> write_parquet(const store::Session& session, const analysis::Selection& selection, Output& output,
                                   const Progress& progress = {});

// What a part of a capture holds: rows, loss rows among them, and what these count.
struct ParquetPart {
    std::uint64_t rows = 0;
    std::uint64_t lost = 0;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    bool is_full = false;     // rows were left for the next part
    bool is_written = false;  // else it was not wanted
};

struct PartPlan {
    std::uint64_t most_rows = UINT64_MAX;  // or somewhat more: rows of one tick stay together
    // Asked before the file appears; false: it does not. May be empty.
    std::function<bool(const ParquetPart&)> is_wanted;
};

// The selection's beginning. Deltas reach back to the rows before the selection, so that parts one behind the other are one
// table. Writes, and finishes what is wanted.
Result<ParquetPart> write_parquet_part(const store::Session& session, const analysis::Selection& selection,
                                       const PartPlan& plan, Output& output, const Progress& progress = {});

// Everything of a file with our columns, ours or rewritten by another program, into the sink; does not finish it.
Result<void> import_parquet(const std::string& path, CaptureSink& sink, Notes& notes, const Progress& progress = {});

// What a file says of itself, before a row is read.
struct ParquetFacts {
    std::uint64_t rows = 0;
    SinkClock clock;
    // Of all rows, by the bounds of its groups; nothing when a group has none.
    std::optional<std::uint64_t> first_tick;
    std::optional<std::uint64_t> last_tick;
};
Result<ParquetFacts> parquet_facts(const std::string& path);

// Of a file's row groups, those that may have rows of these ticks (both ends included), whole; the sink's clock stays.
struct ParquetRange {
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = UINT64_MAX;

    bool operator==(const ParquetRange&) const = default;
};
struct GroupsRead {
    std::size_t read = 0;
    std::size_t all = 0;
};
Result<GroupsRead> import_parquet_range(const std::string& path, const ParquetRange& range, CaptureSink& sink,
                                        const Progress& progress = {});

bool is_parquet(std::string_view head);

}  // namespace sla::formats
