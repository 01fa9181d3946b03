// FollowedStatistics: the tables of `sla stats` for one stretch of time after the other, under one header: columns time_ns and
// until_ns, where the stretch begins and ends, then those of statistics_table.h or value_table.h.
//
//   add(stretch, rows) ... finish()
//
// One owner, one thread. Each stretch is written as it comes.
#pragma once

#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/value_statistics.h"
#include "viewer/formats/names.h"
#include "viewer/formats/output.h"
#include "viewer/formats/table/format.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sla::formats {

// From the capture's start.
struct Stretch {
    std::int64_t begin_ps = 0;
    std::int64_t until_ps = 0;
};

class FollowedStatistics {
public:
    // `output` outlives it.
    enum class Of : std::uint8_t { kTimes, kValues };
    FollowedStatistics(Output& output, Format format, Of of) : output_(output), format_(format), of_(of) {}

    // Of times or of values, as it was made.
    Result<void> add(const store::Session& session, const Stretch& stretch,
                     const std::vector<analysis::StatisticsRow>& rows);
    Result<void> add(const store::Session& session, const Stretch& stretch,
                     const std::vector<analysis::ValueStatisticsRow>& rows);
    // The columns' names are there at least. Nothing may follow.
    Result<void> finish();

private:
    void begin(std::vector<Column> columns);
    void begin_row(const Stretch& stretch);
    [[nodiscard]] SourceNaming naming(const store::Session& session);
    Result<void> flush();

    Output& output_;
    Format format_;
    Of of_;
    FollowedSourceTexts names_;
    std::unique_ptr<RowWriter> writer_;
    ByteBuffer buffer_;
};

}  // namespace sla::formats
