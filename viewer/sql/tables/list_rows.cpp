#include "viewer/sql/tables/list_rows.h"

#include "viewer/analysis/lane_rate.h"
#include "viewer/store/host_texts.h"
#include "viewer/store/unreadable_pages.h"

#include <string>
#include <utility>

namespace sla::sql {

namespace {

Nanoseconds time_of(const NamedCapture& capture, std::uint64_t tick) {
    return {capture.clock().to_ps(tick)};
}

std::string kinds_of(const store::Lane& lane) {
    std::string kinds;
    for (const wire::Kind kind : {wire::Kind::kTick, wire::Kind::kBegin, wire::Kind::kEnd, wire::Kind::kLevel,
                                  wire::Kind::kValue, wire::Kind::kText}) {
        if (store::has_readable(lane, kind)) kinds += (kinds.empty() ? "" : ",") + std::string(wire::kind_name(kind));
    }
    return kinds;
}

// Nothing where another clock than the processor's counter stamps: a simulator's own, or the kernel's.
ListField stamping_of(const NamedCapture& capture, const store::Lane& lane) {
    const store::Source* source = capture.session().source_of(lane);
    const bool has_own_time = source != nullptr && source->clock_domain != 0;
    if (has_own_time || capture.session().health().clock.monotonic_raw) return {};
    switch (lane.channel().stamping) {
        case store::Stamping::kRdtscp: return std::string("rdtscp");
        case store::Stamping::kLfenceRdtsc: return std::string("lfence+rdtsc");
        case store::Stamping::kRdtsc: break;
    }
    return std::string("rdtsc");
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

}  // namespace

void make_captures(const NamedCapture& capture, std::vector<ListRow>& rows) {
    const store::Session& session = capture.session();
    const store::Origin& origin = session.origin();
    ListField utc;
    if (const auto begun = capture.clock().utc_ns(capture.clock().origin_tick())) utc = *begun;
    ListField end;
    if (!session.is_empty()) end = time_of(capture, session.last_tick());
    std::uint64_t unreadable = 0;
    std::uint64_t events = 0;
    for (const store::Lane* lane : session.lanes()) {
        const auto readable = analysis::readable_events(session, *lane, store::PageSource::Look::kKnown);
        events += readable.events;
        unreadable += readable.unreadable;
    }
    rows.push_back({origin.host, origin.agent, utc, end, static_cast<std::uint64_t>(session.lanes().size()), events,
                    session.lost() + unreadable, session.not_kept(), session.damage_count(),
                    std::int64_t{session.ended() ? 1 : 0}, session.end_reason(), origin.boot_id});
}

ListField pid_of(const NamedCapture& capture, const store::Lane& lane) {
    const store::Source* source = capture.session().source_of(lane);
    return source == nullptr || source->pid == 0 ? ListField() : ListField(std::uint64_t{source->pid});
}

void make_channels(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const LaneTexts& texts : capture.lanes()) {
        const store::Lane& lane = *texts.lane;
        const auto readable = analysis::readable_events(capture.session(), lane, store::PageSource::Look::kKnown);
        ListRow row{texts.channel,
                    texts.source,
                    kinds_of(lane),
                    readable.events,
                    lane.lost() + readable.unreadable,
                    lane.not_kept(),
                    static_cast<std::uint64_t>(lane.gaps().size()) + readable.unreadable_pages,
                    lane.spans().size(),
                    ListField(),
                    ListField(),
                    ListField(),
                    ListField(),
                    lane.channel().format,
                    std::string(lane.channel().overwrite ? "overwrite" : "drop-newest"),
                    std::uint64_t{lane.channel().id.value},
                    stamping_of(capture, lane),
                    std::uint64_t{lane.channel().source.value},
                    pid_of(capture, lane)};
        if (const auto part = analysis::recorded_part(lane, capture.session().origin().begin_tick)) {
            row[8] = time_of(capture, part->from);
            row[9] = time_of(capture, part->until);
            row[10] = part->from;
            row[11] = part->until;
        }
        rows.push_back(std::move(row));
    }
}

void make_sources(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const auto& [id, source] : capture.session().sources()) {
        rows.push_back({source.name, std::string(store::source_kind_name(source.kind)), std::uint64_t{source.pid},
                        source.command, std::uint64_t{source.clock_domain}, std::int64_t{source.ended ? 1 : 0},
                        std::uint64_t{id.value}});
    }
}

void make_threads(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const auto& [id, thread] : capture.session().threads()) {
        const store::Source* source = capture.session().source(thread.source);
        rows.push_back({capture.thread_text(id.value), thread.name, std::uint64_t{thread.tid},
                        source == nullptr ? std::string() : source->name, std::uint64_t{id.value}});
    }
}

void make_clocks(const NamedCapture& capture, std::vector<ListRow>& rows) {
    const time::ClockMap& clock = capture.clock();
    for (const time::ClockSnapshot& snapshot : capture.session().snapshots()) {
        rows.push_back({snapshot.tick, time_of(capture, snapshot.tick), snapshot.monotonic_raw_ns, snapshot.realtime_ns,
                        std::uint64_t{snapshot.error_ticks}, std::uint64_t{snapshot.stamp_ticks}, clock.ticks_per_second(),
                        clock.slope_error_ppb()});
        add_wall(snapshot.wall, rows.back());
        const time::WallAxis& axis = capture.session().wall();
        ListField& error = rows.back().emplace_back();
        if (axis.is_bounded()) error = axis.error_ns(snapshot.tick);
    }
}

void make_shots(const NamedCapture& capture, std::vector<ListRow>& rows) {
    for (const store::Shot& shot : capture.session().shots()) {
        rows.push_back({shot.trigger, shot.number, time_of(capture, shot.tick), time_of(capture, shot.begin_tick),
                        time_of(capture, shot.end_tick), shot.what, shot.tick, shot.begin_tick, shot.end_tick});
    }
}

}  // namespace sla::sql
