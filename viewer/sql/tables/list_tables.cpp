// Tables that are short lists: captures, channels, sources, threads, clocks, shots. Their rows are made when a scan begins.
#include "viewer/sql/tables/list_rows.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace sla::sql {

namespace {

void put_field(const ListField& field, Cell& cell) {
    if (const auto* number = std::get_if<std::uint64_t>(&field)) return cell.natural(*number);
    if (const auto* number = std::get_if<std::int64_t>(&field)) return cell.integer(*number);
    if (const auto* number = std::get_if<double>(&field)) return cell.real(*number);
    if (const auto* time = std::get_if<Nanoseconds>(&field)) return cell.nanoseconds(time->ps);
    if (const auto* text = std::get_if<std::string>(&field)) return cell.text(*text);
    cell.null();
}

class ListScan final : public Scan {
public:
    ListScan(const Captures& captures, const Request& request, MakeRows make)
        : captures_(captures), request_(request), make_(make) {}

    bool next() override {
        ++row_;
        while (row_ >= rows_.size()) {
            if (capture_ == captures_.size()) return false;
            const NamedCapture& capture = captures_[capture_++];
            rows_.clear();
            row_ = 0;
            if (request_.matches(Role::kCapture, capture.name())) make_(capture, rows_);
        }
        return true;
    }
    [[nodiscard]] std::uint64_t number() const override {
        constexpr int kBitsOfRows = 32;
        return (std::uint64_t{capture_} << kBitsOfRows) + row_;
    }
    void put(std::size_t column, Cell& cell) override {
        const ListRow& row = rows_[row_];
        if (column < row.size()) return put_field(row[column], cell);
        cell.standing(captures_[capture_ - 1].name());
    }

private:
    const Captures& captures_;
    const Request& request_;
    MakeRows make_;
    std::size_t capture_ = 0;  // the one behind that whose rows these are
    std::vector<ListRow> rows_;
    std::size_t row_ = 0;
};

Table list_table(const char* name, const char* what, std::vector<Column> columns, MakeRows make) {
    Table table;
    table.name = name;
    table.what = what;
    table.columns = std::move(columns);
    table.columns.push_back({"capture", "TEXT", Role::kCapture});
    table.rows = [](const Captures& captures) { return 64.0 * static_cast<double>(captures.size()); };
    table.scan = [make](const Captures& captures, const Request& request, const GoOn&) -> std::unique_ptr<Scan> {
        return std::make_unique<ListScan>(captures, request, make);
    };
    return table;
}

void add_name_tables(std::vector<Table>& tables) {
    tables.push_back(list_table("channels", "what each channel holds",
                                {{"channel", "TEXT"},
                                 {"source", "TEXT"},
                                 {"kinds", "TEXT"},
                                 {"events", "INTEGER"},
                                 {"lost", "INTEGER"},
                                 {"not_kept", "INTEGER"},
                                 {"gaps", "INTEGER"},
                                 {"spans", "INTEGER"},
                                 {"first_ns", "REAL"},
                                 {"last_ns", "REAL"},
                                 {"first_tick", "INTEGER"},
                                 {"last_tick", "INTEGER"},
                                 {"format", "TEXT"},
                                 {"when_full", "TEXT"},
                                 {"id", "INTEGER"},
                                 {"stamping", "TEXT"},
                                 {"source_id", "INTEGER"},
                                 {"pid", "INTEGER"}},
                                make_channels));
    tables.push_back(list_table("sources", "programs, the emulated PC, the host: where channels come from",
                                {{"source", "TEXT"},
                                 {"kind", "TEXT"},
                                 {"pid", "INTEGER"},
                                 {"command", "TEXT"},
                                 {"clock_domain", "INTEGER"},
                                 {"ended", "INTEGER"},
                                 {"id", "INTEGER"}},
                                make_sources));
    tables.push_back(list_table(
        "threads", "threads of the sources; `thread` is name/tid",
        {{"thread", "TEXT"}, {"name", "TEXT"}, {"tid", "INTEGER"}, {"source", "TEXT"}, {"id", "INTEGER"}}, make_threads));
}

}  // namespace

void add_list_tables(std::vector<Table>& tables) {
    add_name_tables(tables);
    tables.push_back(list_table("clocks", "readings of the clocks, and the rate fitted to all of them",
                                {{"tick", "INTEGER"},
                                 {"time_ns", "REAL"},
                                 {"monotonic_raw_ns", "INTEGER"},
                                 {"realtime_ns", "INTEGER"},
                                 {"error_ticks", "INTEGER"},
                                 {"stamp_ticks", "INTEGER"},
                                 {"ticks_per_second", "REAL"},
                                 {"rate_error_ppb", "REAL"},
                                 {"wall", "TEXT"},
                                 {"wall_error_ns", "INTEGER"},
                                 {"wall_estimated_error_ns", "INTEGER"},
                                 {"wall_offset_ns", "INTEGER"},
                                 {"leap", "TEXT"},
                                 {"tai_offset_s", "INTEGER"},
                                 {"ptp_offset_ns", "INTEGER"},
                                 {"ptp_error_ns", "INTEGER"},
                                 {"utc_error_ns", "INTEGER"}},
                                make_clocks));
    tables.push_back(list_table("shots", "what triggers caught, with the window that was kept",
                                {{"trigger", "TEXT"},
                                 {"number", "INTEGER"},
                                 {"time_ns", "REAL"},
                                 {"begin_ns", "REAL"},
                                 {"end_ns", "REAL"},
                                 {"what", "TEXT"},
                                 {"tick", "INTEGER"},
                                 {"begin_tick", "INTEGER"},
                                 {"end_tick", "INTEGER"}},
                                make_shots));
    tables.push_back(list_table("captures", "the captures that are asked, their losses and damage",
                                {{"host", "TEXT"},
                                 {"agent", "TEXT"},
                                 {"start_utc_ns", "INTEGER"},
                                 {"last_ns", "REAL"},
                                 {"channels", "INTEGER"},
                                 {"events", "INTEGER"},
                                 {"lost", "INTEGER"},
                                 {"not_kept", "INTEGER"},
                                 {"damages", "INTEGER"},
                                 {"ended", "INTEGER"},
                                 {"end_reason", "TEXT"},
                                 {"boot_id", "TEXT"}},
                                make_captures));
}

const std::vector<Table>& tables() {
    static const std::vector<Table> kTables = [] {
        std::vector<Table> all;
        all.push_back(events_table());
        all.push_back(spans_table());
        all.push_back(pairs_table());
        all.push_back(gaps_table());
        add_list_tables(all);
        return all;
    }();
    return kTables;
}

}  // namespace sla::sql
