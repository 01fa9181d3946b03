#include "viewer/formats/table/value_table.h"

#include "viewer/formats/table/rows/row_writer.h"
#include "viewer/formats/table/statistics_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace sla::formats {

using analysis::Number;
using analysis::ValueStatisticsRow;

std::vector<std::string> sources_of_values(const SourceNaming& name_of, const std::vector<ValueStatisticsRow>& rows) {
    std::vector<analysis::StatisticsRow> names;
    for (const ValueStatisticsRow& row : rows) names.push_back({row.channel, "", {}, row.lane});
    return sources_of(name_of, names);
}

std::vector<Column> value_columns(const std::vector<ValueStatisticsRow>& rows, const std::vector<std::string>& sources) {
    std::size_t channel = 7;
    std::size_t source = 6;
    for (const ValueStatisticsRow& row : rows) channel = std::max(channel, row.channel.size());
    for (const std::string& name : sources) source = std::max(source, name.size());
    std::vector<Column> columns = {{"channel", channel, false}, {"count", 10, true}, {"lost", 8, true}};
    for (const char* name : {"min", "p50", "mean", "p90", "p99", "p999", "max", "stddev"})
        columns.push_back({name, 20, true});
    columns.push_back({"not_numbers", 11, true});
    columns.push_back({"source", source, false});
    return columns;
}

namespace {

void write_numbers(const analysis::ValueStatistics& n, RowWriter& writer, ByteBuffer& out) {
    if (n.count == 0) {
        for (int column = 0; column < 8; ++column) writer.empty(out);
        return;
    }
    const auto number = [&](const Number& one) { writer.value(out, one.code, one.bits); };
    const auto real = [&](const std::optional<double>& one) { one ? writer.number_float(out, *one) : writer.empty(out); };
    number(n.min);
    number(n.p50);
    real(n.mean);
    for (const Number& one : {n.p90, n.p99, n.p999, n.max}) number(one);
    real(n.stddev);
}

std::string people_text(const std::optional<double>& number) {
    return number ? fmt::format("{:.6g}", *number) : "-";
}
std::string people_text(const Number& number) {
    switch (wire::value_type_of(number.code)) {
        case wire::ValueType::kFloat: return people_text(wire::as_double(number.bits));
        case wire::ValueType::kSigned: return std::to_string(static_cast<std::int64_t>(number.bits));
        default: return std::to_string(number.bits);
    }
}

}  // namespace

void put_values(const ValueStatisticsRow& row, const std::string& source, RowWriter& writer, ByteBuffer& out) {
    writer.text(out, row.channel);
    writer.number(out, row.numbers.count);
    writer.number(out, row.numbers.lost);
    write_numbers(row.numbers, writer, out);
    writer.number(out, row.numbers.not_numbers);
    writer.text(out, source);
}

Result<void> write_values(const store::Session& session, const std::vector<ValueStatisticsRow>& rows, Format format,
                          Output& output) {
    const SourceTexts texts(session);
    const auto sources = sources_of_values([&](const store::Lane& lane) { return texts.of(lane); }, rows);
    const auto writer = make_row_writer(format, value_columns(rows, sources));
    ByteBuffer out;
    writer->begin(out);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        writer->begin_row(out);
        put_values(rows[i], sources[i], *writer, out);
        writer->end_row(out);
    }
    writer->end(out);
    if (auto written = output.write(out.view()); !written.ok()) return written.error();
    return output.finish();
}

PeopleTable people_values(const store::Session& session, const std::vector<ValueStatisticsRow>& rows) {
    const SourceTexts texts(session);
    const auto sources = sources_of_values([&](const store::Lane& lane) { return texts.of(lane); }, rows);
    std::set<std::string> names;
    for (const ValueStatisticsRow& row : rows) names.insert(row.channel);
    const bool has_sources = names.size() < rows.size();
    PeopleTable table = has_sources
                            ? PeopleTable({"channel", "source", ">count", ">lost", ">min", ">p50", ">mean", ">p99", ">max"})
                            : PeopleTable({"channel", ">count", ">lost", ">min", ">p50", ">mean", ">p99", ">max"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const analysis::ValueStatistics& n = rows[i].numbers;
        std::vector<std::string> cells = {rows[i].channel, std::to_string(n.count),
                                          n.lost == 0 ? "" : std::to_string(n.lost)};
        if (has_sources) cells.insert(cells.begin() + 1, sources[i]);
        const std::vector<std::string> numbers =
            n.count == 0 ? std::vector<std::string>(5)
                         : std::vector<std::string>{people_text(n.min), people_text(n.p50), people_text(n.mean),
                                                    people_text(n.p99), people_text(n.max)};
        cells.insert(cells.end(), numbers.begin(), numbers.end());
        table.add(std::move(cells));
    }
    return table;
}

}  // namespace sla::formats
