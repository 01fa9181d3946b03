// Tables with a line an event.
#include "viewer/formats/table/csv_reader.h"
#include "viewer/formats/table/table_import.h"

#include <algorithm>

namespace sla::formats {

Result<void> import_csv(std::istream& in, CaptureSink& sink, Notes& notes, const Progress& progress) {
    Lines lines(in, progress);
    auto line = lines.next();
    if (!line) return lines.problem().ok() ? Result<void>(damaged("it is empty")) : lines.problem();
    const CsvColumns columns{*line};
    if (!columns.has(CsvColumn::kTick) && !columns.has(CsvColumn::kTime))
        return lines.wrong("no column is called tick, time, time_ns or the like");
    if (!columns.has(CsvColumn::kChannel)) return lines.wrong("no column is called channel");
    TableImport import(sink, notes, columns, "csv");
    if (columns.has_header()) line = lines.next();
    std::vector<std::string> fields;
    std::string joined;  // a row whose quoted text goes over several lines
    bool open = false;
    for (; line; line = lines.next()) {
        if (line->empty() && joined.empty()) continue;
        joined += *line;
        if (columns.has_quotes() && std::count(line->begin(), line->end(), '"') % 2 == 1) open = !open;
        if (open && joined.size() > Lines::kLongest) return lines.wrong("a quote is never closed");
        if (open) {
            joined += lines.had_return() ? "\r\n" : "\n";
            continue;
        }
        columns.split(joined, fields);
        joined.clear();
        if (auto taken = import.row(fields, lines.number()); !taken.ok()) return taken;
    }
    if (!lines.problem().ok()) return lines.problem();
    if (!joined.empty()) return lines.wrong("a quote is never closed");
    import.finish();
    return {};
}

}  // namespace sla::formats
