#include "viewer/formats/table/statistics_table.h"

#include "viewer/formats/table/row_writer.h"

#include <algorithm>

namespace sla::formats {

namespace {

constexpr const char* kTimes[] = {"min_ns", "mode_ns", "p50_ns", "mean_ns",  "p90_ns",
                                  "p99_ns", "p999_ns", "max_ns", "stddev_ns"};

std::vector<Column> columns_for(const std::vector<analysis::StatisticsRow>& rows) {
    std::size_t channel = 7;
    std::size_t pair = 4;
    for (const auto& row : rows) {
        channel = std::max(channel, row.channel.size());
        pair = std::max(pair, row.pair.size());
    }
    std::vector<Column> columns = {
        {"channel", channel, false}, {"pair", pair, false}, {"count", 10, true}, {"lost", 8, true}};
    for (const char* name : kTimes) columns.push_back({name, 14, true});
    columns.push_back({"overhead_ns", 11, true});
    columns.push_back({"culled", 6, true});
    columns.push_back({"subtracted_ns", 13, true});
    columns.push_back({"unfinished", 10, true});
    columns.push_back({"quantile_error_ppm", 18, true});
    return columns;
}

void write_row(const analysis::StatisticsRow& row, RowWriter& writer, ByteBuffer& out) {
    const analysis::Statistics& n = row.numbers;
    writer.begin_row(out);
    writer.text(out, row.channel);
    writer.text(out, row.pair);
    writer.number(out, n.count);
    writer.number(out, n.lost);
    for (const std::int64_t ps :
         {n.min_ps, n.mode_ps, n.p50_ps, n.mean_ps, n.p90_ps, n.p99_ps, n.p999_ps, n.max_ps, n.stddev_ps}) {
        if (n.count == 0) {
            writer.empty(out);
        } else {
            writer.ns(out, ps);
        }
    }
    writer.ns(out, n.overhead_ps);
    writer.number(out, n.culled);
    writer.ns(out, n.subtracted_ps);
    writer.number(out, n.unfinished);
    writer.number(out, n.quantile_error_ppm);
    writer.end_row(out);
}

}  // namespace

Result<void> write_statistics(const std::vector<analysis::StatisticsRow>& rows, Format format, Output& output) {
    const auto writer = make_row_writer(format, columns_for(rows));
    ByteBuffer buffer;
    writer->begin(buffer);
    for (const auto& row : rows) write_row(row, *writer, buffer);
    writer->end(buffer);
    if (auto written = output.write(buffer.view()); !written.ok()) return written.error();
    return output.finish();
}

}  // namespace sla::formats
