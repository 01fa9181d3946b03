#include "viewer/formats/table/statistics_table.h"

#include "viewer/formats/names.h"
#include "viewer/formats/table/rows/row_writer.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sla::formats {

namespace {

constexpr const char* kTimes[] = {"min_ns", "mode_ns", "p50_ns", "mean_ns",  "p90_ns",
                                  "p99_ns", "p999_ns", "max_ns", "stddev_ns"};

}  // namespace

std::vector<Column> statistics_columns(const std::vector<analysis::StatisticsRow>& rows,
                                       const std::vector<std::string>& sources) {
    std::size_t channel = 7;
    std::size_t pair = 4;
    std::size_t source = 6;
    for (const auto& row : rows) {
        channel = std::max(channel, row.channel.size());
        pair = std::max(pair, row.pair.size());
    }
    for (const std::string& name : sources) source = std::max(source, name.size());
    std::vector<Column> columns = {
        {"channel", channel, false}, {"pair", pair, false}, {"count", 10, true}, {"lost", 8, true}};
    for (const char* name : kTimes) columns.push_back({name, 14, true});
    columns.push_back({"overhead_ns", 11, true});
    columns.push_back({"culled", 6, true});
    columns.push_back({"subtracted_ns", 13, true});
    columns.push_back({"unfinished", 10, true});
    columns.push_back({"quantile_error_ppm", 18, true});
    columns.push_back({"source", source, false});
    return columns;
}

namespace {

std::string source_of(const SourceNaming& name_of, const analysis::StatisticsRow& row) {
    const std::string begin = row.lane == nullptr ? "" : name_of(*row.lane);
    const std::string end = row.end == nullptr ? "" : name_of(*row.end);
    return end.empty() || end == begin ? begin : begin + ":" + end;
}

}  // namespace

void put_statistics(const analysis::StatisticsRow& row, const std::string& source, RowWriter& writer, ByteBuffer& out) {
    const analysis::Statistics& n = row.numbers;
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
    writer.text(out, source);
}

std::string name_of_pair(const std::string& pair) {
    return pair.empty() ? "event to event" : pair == analysis::kSpanWidths ? "span width" : pair;
}

std::vector<std::string> sources_of(const store::Session& session, const std::vector<analysis::StatisticsRow>& rows) {
    const SourceTexts texts(session);
    return sources_of([&](const store::Lane& lane) { return texts.of(lane); }, rows);
}

std::vector<std::string> sources_of(const SourceNaming& name_of, const std::vector<analysis::StatisticsRow>& rows) {
    std::vector<std::string> sources;
    for (const analysis::StatisticsRow& row : rows) sources.push_back(source_of(name_of, row));
    return sources;
}

Result<void> write_statistics(const store::Session& session, const std::vector<analysis::StatisticsRow>& rows, Format format,
                              Output& output) {
    const std::vector<std::string> sources = sources_of(session, rows);
    const auto writer = make_row_writer(format, statistics_columns(rows, sources));
    ByteBuffer buffer;
    writer->begin(buffer);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        writer->begin_row(buffer);
        put_statistics(rows[i], sources[i], *writer, buffer);
        writer->end_row(buffer);
    }
    writer->end(buffer);
    if (auto written = output.write(buffer.view()); !written.ok()) return written.error();
    return output.finish();
}

}  // namespace sla::formats
