#include "viewer/cli/text/top_table.h"

#include "viewer/cli/text/agent_status.h"
#include "viewer/formats/names.h"
#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sla::cli {

namespace {

// Losses, and what is no loss: events that the agent's memory has given up.
std::string missing_text(const ChannelCounts& counts) {
    const std::string losses = counts.losses_text();
    if (counts.not_kept() == 0) return losses;
    return losses + (losses.empty() ? "" : "; ") + std::to_string(counts.not_kept()) + " not kept";
}

struct Row {
    const store::Lane* lane;
    std::uint64_t rate;
    std::string source;
    ChannelCounts counts;
    store::Ledger ledger;
};

// Busiest first.
std::vector<Row> rows_of(const store::Session& session, const Sample& before, const Sample& now, std::size_t limit) {
    std::vector<Row> rows;
    const double hz = session.clock().ticks_per_second();
    const formats::SourceTexts sources(session);
    for (const store::Lane* lane : session.lanes()) {
        const store::Ledger* known = session.ledger(lane->channel().id);
        rows.push_back({lane, rate_between(before, now, lane->channel().id, hz), sources.of(*lane),
                        now.of(lane->channel().id), known == nullptr ? store::Ledger{} : *known});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rate > b.rate; });
    if (limit != 0 && rows.size() > limit) rows.resize(limit, rows.front());
    return rows;
}

}  // namespace

Sample sample_of(const store::Session& session) {
    Sample sample;
    sample.tick = session.health().tick;
    for (const store::Lane* lane : session.lanes()) {
        const store::Ledger* ledger = session.ledger(lane->channel().id);
        if (ledger != nullptr) sample.channels[lane->channel().id] = ChannelCounts::of(*ledger);
    }
    return sample;
}

std::uint64_t rate_between(const Sample& before, const Sample& now, ChannelId id, double ticks_per_second) {
    if (before.tick == 0 || now.tick <= before.tick) return 0;
    const std::uint64_t newest = now.of(id).events();
    const std::uint64_t events = newest - std::min(before.of(id).events(), newest);
    return static_cast<std::uint64_t>(
        std::llround(static_cast<double>(events) * ticks_per_second / static_cast<double>(now.tick - before.tick)));
}

formats::SmallTable top_table(const store::Session& session, const Sample& before, const Sample& now, TopRows which,
                              std::size_t limit) {
    std::vector<std::string> names = {"channel", "source",     "rate_hz",  "events",   "lost",
                                      "losses",  "held_bytes", "filtered", "not_kept", "state"};
    if (which == TopRows::kWithTime) names.insert(names.begin(), "time_ns");
    formats::SmallTable table(std::move(names));
    for (const Row& row : rows_of(session, before, now, limit)) {
        const store::Ledger& ledger = row.ledger;
        std::vector<formats::Field> fields = {row.lane->channel().name,
                                              row.source,
                                              row.rate,
                                              row.counts.events(),
                                              row.counts.lost(),
                                              row.counts.losses_text(),
                                              ledger.retained_bytes,
                                              ledger.filtered,
                                              row.counts.not_kept(),
                                              channel_state(session, *row.lane, ledger)};
        if (which == TopRows::kWithTime) fields.insert(fields.begin(), formats::Ps{session.clock().to_ps(now.tick)});
        table.add(std::move(fields));
    }
    return table;
}

formats::PeopleTable people_top_table(const store::Session& session, const Sample& before, const Sample& now,
                                      std::size_t limit) {
    formats::PeopleTable table({"channel", "source", ">rate", ">events", "lost", ">held", ">filtered", "state"});
    for (const Row& row : rows_of(session, before, now, limit)) {
        const store::Ledger& ledger = row.ledger;
        table.add({row.lane->channel().name, row.source, timeline::readable_rate(static_cast<double>(row.rate)),
                   std::to_string(row.counts.events()), missing_text(row.counts),
                   timeline::readable_bytes(static_cast<double>(ledger.retained_bytes)),
                   ledger.filtered == 0 ? "" : std::to_string(ledger.filtered), channel_state(session, *row.lane, ledger)});
    }
    return table;
}

std::string memory_lines(const store::Health& health) {
    const auto megabytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
    const std::uint64_t accounted = health.retained_bytes + health.shot_bytes + health.ring_bytes;
    const store::MemoryParts& parts = health.memory;
    return fmt::format("memory {:.1f} MB: history {:.1f} of {:.1f}, shots {:.1f} of {:.1f}, rings {:.1f}, all else {:.1f}\n",
                       megabytes(health.agent_bytes), megabytes(health.retained_bytes), megabytes(health.retained_limit),
                       megabytes(health.shot_bytes), megabytes(health.shot_limit), megabytes(health.ring_bytes),
                       megabytes(health.agent_bytes - std::min(health.agent_bytes, accounted))) +
           fmt::format(
               "history: batches {:.1f}, names {:.1f}, open batches {:.1f}, programs {:.1f}, readers {:.1f}, "
               "recorders {:.1f} MB\n",
               megabytes(parts.batches), megabytes(parts.names), megabytes(parts.open_batches), megabytes(parts.programs),
               megabytes(parts.readers), megabytes(parts.recorders));
}

std::string publishing_lines(const store::Publishing& publishing) {
    if (!publishing.wanted) return "";
    const auto bytes = [](std::uint64_t count) { return timeline::readable_bytes(static_cast<double>(count)); };
    std::string text = fmt::format("publishing to {}, fleet {}, as {}: {}{}\n", publishing.servers, publishing.fleet,
                                   publishing.host, publishing.connected ? "connected" : "not connected",
                                   publishing.problem.empty() ? "" : "; " + publishing.problem);
    text += fmt::format("events: {} published, {} in the spool ({} of {}), {} dropped; {} messages on their way\n",
                        publishing.published, publishing.left, bytes(publishing.spool_bytes), bytes(publishing.spool_limit),
                        publishing.dropped, publishing.unacknowledged);
    if (publishing.earlier_runs > 0)
        text += fmt::format("captures of earlier agents that are still in the spool: {}\n", publishing.earlier_runs);
    return text;
}

}  // namespace sla::cli
