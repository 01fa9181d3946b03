// What rows of a table mean: each an event. Ours have ticks and times: the clock is what makes the one out of the other. A table
// without ticks gets a clock of its own, one tick a picosecond; of one that spans more than three days, a nanosecond. Private to the
// room.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/conversion.h"
#include "viewer/formats/lines.h"
#include "viewer/formats/table/csv_columns.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::formats {

class TableImport {
public:
    // Rows without a source are of `source`. All outlive it; `columns` may get more on the way.
    TableImport(CaptureSink& sink, Notes& notes, const CsvColumns& columns, std::string source)
        : sink_(sink), notes_(notes), columns_(columns), own_source_(std::move(source)) {}

    // `line`: that it stands in, for what is wrong with it.
    Result<void> row(const std::vector<std::string>& fields, std::uint64_t line);
    void finish();

private:
    Result<void> place(SinkEvent& event, std::string_view tick, std::string_view time);
    void begin_own_clock(__int128 first_ps);
    // The two rows farthest apart fix the rate.
    void see(std::uint64_t tick, std::int64_t ps);
    void fit();

    CaptureSink& sink_;
    Notes& notes_;
    const CsvColumns& columns_;
    std::string own_source_;
    std::uint64_t rows_ = 0;
    std::uint64_t wide_rows_ = 0;
    __int128 zero_ps_ = 0;
    std::uint64_t low_tick_ = 0;
    std::uint64_t high_tick_ = 0;
    std::int64_t low_ps_ = 0;
    std::int64_t high_ps_ = 0;
};

}  // namespace sla::formats
