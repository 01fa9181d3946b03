#include "viewer/cli/top_table.h"

#include "viewer/cli/agent_status.h"

#include <algorithm>

namespace sla::cli {

namespace {

std::string losses_text(const store::Ledger& ledger) {
    std::string out;
    const auto add = [&](std::uint64_t count, const char* cause) {
        if (count == 0) return;
        out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + cause;
    };
    add(ledger.overrun, "overrun");
    add(ledger.late, "late");
    add(ledger.torn, "torn");
    add(ledger.no_ring, "no ring");
    add(ledger.damaged, "damaged");
    return out;
}

}  // namespace

Sample sample_of(const store::Session& session) {
    Sample sample;
    sample.tick = session.health().tick;
    for (const store::Lane* lane : session.lanes()) {
        const store::Ledger* ledger = session.ledger(lane->channel().id);
        sample.events[lane->channel().id] = ledger == nullptr ? 0 : ledger->events;
    }
    return sample;
}

std::uint64_t rate_between(const Sample& before, const Sample& now, ChannelId id, double ticks_per_second) {
    const auto old = before.events.find(id);
    if (before.tick == 0 || now.tick <= before.tick) return 0;
    const std::uint64_t events =
        now.events.at(id) - (old == before.events.end() ? 0 : std::min(old->second, now.events.at(id)));
    return static_cast<std::uint64_t>(
        static_cast<double>(events) * ticks_per_second / static_cast<double>(now.tick - before.tick) + 0.5);
}

formats::SmallTable top_table(const store::Session& session, const Sample& before, const Sample& now, TopRows which,
                              std::size_t limit) {
    struct Row {
        const store::Lane* lane;
        std::uint64_t rate;
    };
    std::vector<Row> rows;
    const double hz = session.clock().ticks_per_second();
    for (const store::Lane* lane : session.lanes())
        rows.push_back({lane, rate_between(before, now, lane->channel().id, hz)});
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rate > b.rate; });
    std::vector<std::string> names = {"channel", "source",     "rate_hz",  "events",   "lost",
                                      "losses",  "held_bytes", "filtered", "not_kept", "state"};
    if (which == TopRows::kWithTime) names.insert(names.begin(), "time_ns");
    formats::SmallTable table(std::move(names));
    for (const Row& row : rows) {
        if (limit != 0 && table.size() >= limit) break;
        const store::Ledger* known = session.ledger(row.lane->channel().id);
        const store::Ledger ledger = known == nullptr ? store::Ledger{} : *known;
        const store::Source* source = session.source_of(*row.lane);
        std::vector<formats::Field> fields = {row.lane->channel().name,
                                              source == nullptr ? "" : source->name,
                                              row.rate,
                                              ledger.events,
                                              ledger.lost(),
                                              losses_text(ledger),
                                              ledger.retained_bytes,
                                              ledger.filtered,
                                              ledger.not_kept,
                                              channel_state(ledger, now.tick, hz)};
        if (which == TopRows::kWithTime) fields.insert(fields.begin(), formats::Ps{session.clock().to_ps(now.tick)});
        table.add(std::move(fields));
    }
    return table;
}

}  // namespace sla::cli
