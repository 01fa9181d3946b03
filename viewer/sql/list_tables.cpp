// Tables that are short lists: captures, channels, sources, threads, clocks, shots. Their rows are made when a scan begins.
#include "viewer/sql/table.h"

#include <string>
#include <utility>
#include <variant>

namespace sla::sql {

namespace {

// A natural number of the stream, an integer, a real, a time in ps that is shown in ns, a text; nothing.
struct Nanoseconds {
    std::int64_t ps = 0;
};
using ListField = std::variant<std::monostate, std::uint64_t, std::int64_t, double, Nanoseconds, std::string>;
using ListRow = std::vector<ListField>;
// Fills in all columns but the last, which is the capture's name.
using MakeRows = void (*)(const NamedCapture& capture, std::vector<ListRow>& rows);

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

Nanoseconds time_of(const NamedCapture& capture, std::uint64_t tick) {
    return {capture.clock().to_ps(tick)};
}

std::string kinds_of(const store::Lane& lane) {
    std::string kinds;
    for (const wire::Kind kind : {wire::Kind::kTick, wire::Kind::kBegin, wire::Kind::kEnd, wire::Kind::kLevel,
                                  wire::Kind::kValue, wire::Kind::kText}) {
        if (lane.has(kind)) kinds += (kinds.empty() ? "" : ",") + std::string(wire::kind_name(kind));
    }
    return kinds;
}

void make_captures(const NamedCapture& capture, std::vector<ListRow>& rows) {
    const store::Session& session = capture.session();
    const store::Origin& origin = session.origin();
    ListField utc;
    if (capture.knows_utc()) utc = capture.clock().origin_realtime_ns();
    ListField end;
    if (!session.is_empty()) end = time_of(capture, session.last_tick());
    rows.push_back({origin.host, origin.agent, utc, end, static_cast<std::uint64_t>(session.lanes().size()),
                    session.events(), session.lost(), session.not_kept(), session.damage_count(),
                    std::int64_t{session.ended() ? 1 : 0}, session.end_reason(), origin.boot_id});
}

const char* stamping_name(store::Stamping stamping) {
    switch (stamping) {
        case store::Stamping::kRdtscp: return "rdtscp";
        case store::Stamping::kLfenceRdtsc: return "lfence+rdtsc";
        case store::Stamping::kRdtsc: break;
    }
    return "rdtsc";
}

void make_channels(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const LaneTexts& texts : capture.lanes()) {
        const store::Lane& lane = *texts.lane;
        ListRow row{texts.channel,
                    texts.source,
                    kinds_of(lane),
                    lane.events(),
                    lane.lost(),
                    lane.not_kept(),
                    static_cast<std::uint64_t>(lane.gaps().size()),
                    lane.spans().size(),
                    ListField(),
                    ListField(),
                    ListField(),
                    ListField(),
                    lane.channel().format,
                    std::string(lane.channel().overwrite ? "overwrite" : "drop-newest"),
                    std::uint64_t{lane.channel().id.value},
                    std::string(stamping_name(lane.channel().stamping))};
        if (!lane.empty()) {
            row[8] = time_of(capture, lane.first_tick());
            row[9] = time_of(capture, lane.last_tick());
            row[10] = lane.first_tick();
            row[11] = lane.last_tick();
        }
        rows.push_back(std::move(row));
    }
}

const char* source_kind(store::SourceKind kind) {
    switch (kind) {
        case store::SourceKind::kProgram: return "program";
        case store::SourceKind::kPc: return "pc";
        case store::SourceKind::kHost: return "host";
        case store::SourceKind::kAgent: return "agent";
        case store::SourceKind::kUnknown: break;
    }
    return "unknown";
}

void make_sources(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const auto& [id, source] : capture.session().sources()) {
        rows.push_back({source.name, std::string(source_kind(source.kind)), std::uint64_t{source.pid}, source.command,
                        std::uint64_t{source.clock_domain}, std::int64_t{source.ended ? 1 : 0}, std::uint64_t{id.value}});
    }
}

void make_threads(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const auto& [id, thread] : capture.session().threads()) {
        const store::Source* source = capture.session().source(thread.source);
        rows.push_back({capture.thread_text(id.value), thread.name, std::uint64_t{thread.tid},
                        source == nullptr ? std::string() : source->name, std::uint64_t{id.value}});
    }
}

const char* wall_state(time::WallState state) {
    switch (state) {
        case time::WallState::kSynchronised: return "synchronised";
        case time::WallState::kUnsynchronised: return "unsynchronised";
        case time::WallState::kRefused: return "refused";
        case time::WallState::kNotThere: return "not there";
        case time::WallState::kNotAsked: break;
    }
    return "not asked";
}

const char* leap_state(time::LeapState state) {
    switch (state) {
        case time::LeapState::kInsert: return "insert";
        case time::LeapState::kDelete: return "delete";
        case time::LeapState::kNow: return "now";
        case time::LeapState::kDone: return "done";
        case time::LeapState::kNone: break;
    }
    return "none";
}

// What was not said is nothing.
void add_wall(const time::WallClock& wall, ListRow& row) {
    const auto known = [](bool is_known, auto field) { return is_known ? ListField(field) : ListField(); };
    row.emplace_back(std::string(wall_state(wall.state)));
    row.push_back(known(wall.is_bounded(), wall.max_error_ns));
    row.push_back(known(wall.is_reported(), wall.estimated_error_ns));
    row.push_back(known(wall.is_reported(), wall.offset_ns));
    row.push_back(known(wall.is_reported(), std::string(leap_state(wall.leap))));
    row.push_back(known(wall.tai_offset_s != 0, std::int64_t{wall.tai_offset_s}));
    const bool has_ptp = wall.ptp_device != time::WallClock::kNoPtp;
    row.push_back(known(has_ptp, wall.ptp_offset_ns));
    row.push_back(known(has_ptp, wall.ptp_error_ns));
}

void make_clocks(const NamedCapture& capture, std::vector<ListRow>& rows) {
    const time::ClockMap& clock = capture.clock();
    for (const time::ClockSnapshot& snapshot : capture.session().snapshots()) {
        rows.push_back({snapshot.tick, time_of(capture, snapshot.tick), snapshot.monotonic_raw_ns, snapshot.realtime_ns,
                        std::uint64_t{snapshot.error_ticks}, std::uint64_t{snapshot.stamp_ticks}, clock.ticks_per_second(),
                        clock.slope_error_ppb()});
        add_wall(snapshot.wall, rows.back());
        const time::WallAxis& axis = capture.session().wall();
        rows.back().emplace_back(axis.is_bounded() ? ListField(axis.error_ns(snapshot.tick)) : ListField());
    }
}

void make_shots(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const store::Shot& shot : capture.session().shots()) {
        rows.push_back({shot.trigger, shot.number, time_of(capture, shot.tick), time_of(capture, shot.begin_tick),
                        time_of(capture, shot.end_tick), shot.what, shot.tick, shot.begin_tick, shot.end_tick});
    }
}

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

}  // namespace

namespace {

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
                                 {"stamping", "TEXT"}},
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
