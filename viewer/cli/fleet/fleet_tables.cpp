#include "viewer/cli/fleet/fleet_tables.h"

#include "proto/base/how_many.h"
#include "proto/fleet/names.h"
#include "viewer/timeline/readable.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>

namespace sla::cli {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kSilentNs = 10 * kSecondNs;  // entries are written anew every two seconds

bool is_live(const fleet::RunEntry& run, std::int64_t now_ns) {
    return run.ended_ns == 0 && now_ns - run.seen_ns < kSilentNs;
}

std::string utc_text(std::int64_t ns) {
    if (ns <= 0) return "";
    const std::time_t seconds = ns / kSecondNs;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:%Y-%m-%d %H:%M:%S}", parts);
}

std::string bytes_text(std::uint64_t bytes) {
    return timeline::readable_bytes(static_cast<double>(bytes));
}

std::string age_text(std::int64_t ns) {
    const std::int64_t seconds = std::max<std::int64_t>(ns / kSecondNs, 0);
    if (seconds < 120) return fmt::format("{} s", seconds);
    if (seconds < 7200) return fmt::format("{} min", seconds / 60);
    return fmt::format("{} h", seconds / 3600);
}

std::string or_nothing(std::uint64_t number) {
    return number == 0 ? "" : std::to_string(number);
}

}  // namespace

std::string state_of(const fleet::RunEntry& run, std::int64_t now_ns, bool is_followed) {
    if (run.ended_ns != 0) return "ended";
    if (is_live(run, now_ns)) return "live";
    const std::string age = age_text(now_ns - run.seen_ns);
    return is_followed ? "cut off " + age + " ago" : "silent for " + age;
}

FleetTable hosts_table(const std::vector<fleet::RunEntry>& runs, std::int64_t now_ns) {
    FleetTable table{
        formats::SmallTable({"host", "state", "capture", "boot", "shard", "agent", "started_utc_ns", "seen_utc_ns",
                             "produced", "published", "left", "dropped", "spool_bytes", "spool_limit", "ticks_per_second",
                             "clock", "problem"}),
        formats::PeopleTable({"host", "state", ">published", ">in spool", ">dropped", ">spool", "clock", "problem"})};
    for (const fleet::RunEntry& run : runs) {
        table.plain.add({run.host, state_of(run, now_ns), run.capture, run.boot, std::uint64_t{run.shard}, run.agent,
                         static_cast<std::uint64_t>(run.started_ns), static_cast<std::uint64_t>(run.seen_ns), run.produced,
                         run.published, run.left, run.dropped, run.spool_bytes, run.spool_limit, run.ticks_per_second,
                         run.clock_health, run.problem});
        table.people.add({run.host, state_of(run, now_ns), std::to_string(run.published), or_nothing(run.left),
                          or_nothing(run.dropped), bytes_text(run.spool_bytes), run.clock_health, run.problem});
    }
    return table;
}

FleetTable captures_table(const std::vector<fleet::RunEntry>& runs, std::int64_t now_ns) {
    FleetTable table{
        formats::SmallTable({"host", "capture", "state", "shard", "boot", "started_utc_ns", "ended_utc_ns", "pieces",
                             "produced", "published", "left", "dropped"}),
        formats::PeopleTable({"host", "capture", "state", "started (UTC)", "ended", ">events", ">in spool", ">dropped"})};
    std::map<std::string, std::int64_t> newest;  // begin, by host
    for (const fleet::RunEntry& run : runs) newest[run.host] = std::max(newest[run.host], run.started_ns);
    for (const fleet::RunEntry& run : runs) {
        const std::string state = state_of(run, now_ns, newest[run.host] > run.started_ns);
        table.plain.add({run.host, run.capture, state, std::uint64_t{run.shard}, run.boot,
                         static_cast<std::uint64_t>(run.started_ns), static_cast<std::uint64_t>(run.ended_ns), run.pieces,
                         run.produced, run.published, run.left, run.dropped});
        table.people.add({run.host, run.capture, state, utc_text(run.started_ns), utc_text(run.ended_ns),
                          std::to_string(run.published), or_nothing(run.left), or_nothing(run.dropped)});
    }
    return table;
}

FleetTable shards_table(const std::vector<fleet::ShardState>& shards, const std::vector<fleet::CaptureLosses>* losses,
                        std::int64_t now_ns) {
    std::map<std::uint32_t, std::uint64_t> lost;  // events, by shard
    for (std::size_t i = 0; losses != nullptr && i < losses->size(); ++i)
        lost[(*losses)[i].run.shard] += (*losses)[i].missing.within + (*losses)[i].missing.at_end;
    FleetTable table{formats::SmallTable({"shard", "stream", "messages", "bytes", "max_bytes", "max_age_ns", "first_utc_ns",
                                          "last_utc_ns", "replicas", "leader", "lagging", "deleted", "lost"}),
                     formats::PeopleTable({">shard", ">messages", ">bytes", ">of", ">reaches back", ">newest", ">replicas",
                                           "leader", "behind or gone", ">deleted", ">lost"})};
    for (const fleet::ShardState& shard : shards) {
        const std::string lagging = fmt::format("{}", fmt::join(shard.lagging, ","));
        const bool is_empty = shard.messages == 0;
        table.plain.add({std::uint64_t{shard.shard}, shard.stream, shard.messages, shard.bytes, shard.max_bytes,
                         static_cast<std::uint64_t>(shard.max_age_ns), static_cast<std::uint64_t>(shard.first_time_ns),
                         static_cast<std::uint64_t>(shard.last_time_ns), std::uint64_t{shard.replicas}, shard.leader,
                         lagging, shard.deleted, lost[shard.shard]});
        table.people.add({std::to_string(shard.shard), std::to_string(shard.messages), bytes_text(shard.bytes),
                          shard.max_bytes == 0 ? "" : bytes_text(shard.max_bytes),
                          is_empty ? "" : age_text(now_ns - shard.first_time_ns),
                          is_empty ? "" : age_text(now_ns - shard.last_time_ns) + " ago", std::to_string(shard.replicas),
                          shard.leader, lagging, or_nothing(shard.deleted),
                          losses == nullptr && shard.deleted > 0 ? "?" : or_nothing(lost[shard.shard])});
    }
    return table;
}

FleetTable answers_table(const std::vector<HostAnswer>& answers) {
    FleetTable table{formats::SmallTable({"host", "answer", "why"}), formats::PeopleTable({"host", "answer", "why"})};
    for (const HostAnswer& one : answers) {
        const std::string answer = one.what == HostAnswer::What::kAccepted  ? "accepted"
                                   : one.what == HostAnswer::What::kRefused ? "refused"
                                                                            : "no answer";
        table.plain.add({one.host, answer, one.why});
        table.people.add({one.host, answer, one.why});
    }
    return table;
}

FleetTable shots_table(const std::vector<fleet::ShotEntry>& shots) {
    FleetTable table{
        formats::SmallTable({"shot", "host", "state", "fired_on", "trigger", "number", "what", "utc_ns", "error_ns",
                             "bounded", "placed_by", "capture", "tick", "begin_tick", "end_tick", "problem"}),
        formats::PeopleTable({"shot", "host", "state", "fired on", "trigger", "UTC", ">\u00b1", "placed by", "problem"})};
    for (const fleet::ShotEntry& shot : shots) {
        const bool is_own = shot.host == shot.fired_on;
        const auto error = static_cast<std::uint64_t>(shot.error_ns);
        table.plain.add({shot.shot, shot.host, shot.state, shot.fired_on, shot.trigger, shot.number, shot.what,
                         static_cast<std::uint64_t>(shot.utc_ns), error, shot.is_bounded ? "yes" : "no", shot.placed_by,
                         shot.capture, shot.tick, shot.begin_tick, shot.end_tick, shot.problem});
        const std::string off = shot.state == "refused" || is_own ? "" : timeline::readable_delta(shot.error_ns * 1000);
        table.people.add({shot.shot, shot.host, shot.state, shot.fired_on, shot.trigger, utc_text(shot.utc_ns),
                          shot.is_bounded || off.empty() ? off : off + ", unbounded", shot.placed_by, shot.problem});
    }
    return table;
}

std::string sum_of(const std::vector<fleet::RunEntry>& runs, std::int64_t now_ns) {
    std::uint64_t live = 0;
    std::uint64_t left = 0;
    std::uint64_t dropped = 0;
    for (const fleet::RunEntry& run : runs) {
        live += is_live(run, now_ns);
        left += run.left;
        dropped += run.dropped;
    }
    return fmt::format("{}, {} live; {} in spools, {} dropped", how_many(runs.size(), "host"), live, how_many(left, "event"),
                       dropped);
}

std::string permissions_text(const std::string& fleet, std::uint32_t shards) {
    const std::string hosts = fleet::hosts_bucket(fleet);
    const std::string captures = fleet::captures_bucket(fleet);
    const std::string shots = fleet::shots_bucket(fleet);
    std::string purges;  // no wildcard stands for a part of a word
    for (std::uint32_t shard = 0; shard < shards; ++shard)
        purges += fmt::format(", \"$JS.API.STREAM.PURGE.{}\"", fleet::stream_name(fleet, shard));
    const std::string reads =
        "\"$JS.API.INFO\", \"$JS.API.STREAM.INFO.*\", \"$JS.API.STREAM.NAMES\", \"$JS.API.STREAM.LIST\",\n"
        "    \"$JS.API.STREAM.MSG.GET.*\", \"$JS.API.DIRECT.GET.>\", \"$JS.API.CONSUMER.CREATE.>\", "
        "\"$JS.API.CONSUMER.DURABLE.CREATE.>\",\n"
        "    \"$JS.API.CONSUMER.INFO.>\", \"$JS.API.CONSUMER.DELETE.>\", \"$JS.API.CONSUMER.MSG.NEXT.>\", \"$JS.ACK.>\", "
        "\"$JS.FC.>\"";
    return fmt::format(
               "# An agent on HOST (--host HOST): it publishes as that host alone, reads how the fleet is set up and who is "
               "in\n"
               "# it, and asks other hosts for their clocks. allow_responses: it answers whoever asks it.\n"
               "agent = {{\n"
               "  publish = [\"sla.v1.{0}.*.HOST.>\", \"$KV.{1}.HOST\", \"$KV.{2}.HOST.>\", \"$KV.{3}.*.HOST\",\n"
               "    \"sla.v1.{0}.ping.*\", \"sla.v1.{0}.shot.HOST\",\n"
               "    \"$JS.API.STREAM.INFO.KV_{1}\", \"$JS.API.DIRECT.GET.KV_{1}.>\", \"$JS.API.STREAM.MSG.GET.KV_{1}\"]\n"
               "  subscribe = [\"_INBOX.>\", \"sla.v1.{0}.ping.HOST\", \"sla.v1.{0}.control.HOST\", \"sla.v1.{0}.shot.*\"]\n"
               "  allow_responses = true\n"
               "}}\n",
               fleet, hosts, captures, shots) +
           fmt::format(
               "# A reader: viewers and commands; it publishes nothing but its questions.\n"
               "reader = {{\n"
               "  publish = [{0}]\n"
               "  subscribe = [\"_INBOX.>\"]\n"
               "}}\n"
               "# A controller: a reader that may order agents (sla fleet set, trigger) and delete captures (sla fleet "
               "drop).\n"
               "# Leave out what no user has: nats-server does not start with names that nobody uses.\n"
               "controller = {{\n"
               "  publish = [{0},\n"
               "    \"sla.v1.{1}.control.*\", \"$KV.{2}.>\"{3}]\n"
               "  subscribe = [\"_INBOX.>\"]\n"
               "}}\n",
               reads, fleet, captures, purges);
}

}  // namespace sla::cli
