// sla archive: captures of a fleet, or files, as a folder of Parquet files that grows by each run.
#include "viewer/archive/archive.h"

#include "proto/base/how_many.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/names.h"
#include "proto/fleet/registry.h"
#include "proto/fleet/streams.h"
#include "proto/wire/address.h"
#include "viewer/archive/settled.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fleet/fleet_options.h"
#include "viewer/cli/text/progress.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/fleet/fleet_losses.h"
#include "viewer/ingest/file_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sla::cli {

namespace {

struct ArchiveWords {
    std::string source;
    std::string folder;
    std::string fleet = fleet::kDefaultFleet;
    std::uint64_t part_rows = archive::AddPlan().part_rows;
    bool whole_parts = false;
    bool as_it_is = false;
};

// One capture on its way into the folder.
struct Source {
    std::string target;    // what opens it
    std::string host;      // empty: what it says itself
    std::string capture;   // likewise
    bool is_over = false;  // nothing will come any more, whatever it says itself

    // Of a fleet's: what the registry said of it before anything was read, and who is asked about it.
    std::string fleet = {};
    std::optional<fleet::RunEntry> run = std::nullopt;
    std::shared_ptr<const fleet::Connection> connection = nullptr;
};

// Nothing: a chunk is missing that may still come.
Result<std::optional<std::uint64_t>> final_until(const Source& source, const capture::CaptureStore& store,
                                                 const capture::CaptureIndex& index) {
    if (source.is_over) return std::optional(store::kNever);
    const auto settled = archive::settled(store, index);
    if (!settled.ok()) return settled.error();
    if (settled->ended && !settled->is_damaged) return std::optional(store::kNever);
    if (settled->is_damaged && fleet::is_fleet_address(source.target)) return std::optional<std::uint64_t>();
    return std::optional(settled->ended ? store::kNever : settled->tick + 1);
}

void name_by_itself(const store::Session& session, const Source& source, archive::AddPlan& plan) {
    const store::Origin& origin = session.origin();
    plan.host = source.host.empty() ? origin.host : source.host;
    plan.capture = source.capture;
    if (plan.capture.empty() && origin.capture_id != 0) plan.capture = fmt::format("{:x}", origin.capture_id);
    if (plan.capture.empty()) plan.capture = std::filesystem::path(source.target).stem();
}

// What was gone before this run came.
void say_what_is_missing(const archive::AddReport& added, bool is_of_fleet) {
    const std::string name = added.manifest.host + "/" + added.manifest.capture;
    const std::string gone = is_of_fleet ? "had expired in the cluster, or were deleted there," : "were gone";
    if (added.lost > 0) {
        warn(fmt::format(
            "{}: {} behind what is archived {} before this run came; loss rows stand in their place{}", name,
            how_many(added.lost, "event"), gone,
            is_of_fleet ? ". Archive more often, or let the streams keep more (sla fleet setup --age, --bytes)" : ""));
    }
    if (added.before == 0 || !is_of_fleet) return;
    warn(fmt::format("{}: {} {} before it was archived for the first time, and are not in the archive", name,
                     how_many(added.before, "event"), gone));
}

archive::AddPlan plan_of(const Source& source, const ArchiveWords& words, archive::Found found) {
    archive::AddPlan plan;
    plan.found = std::move(found);
    plan.host = source.host;
    plan.capture = source.capture;
    plan.part_rows = words.part_rows;
    if (!source.run) {
        plan.found.origin_tick.reset();  // a file that lacks its beginning lacks it for ever
        return plan;
    }
    plan.found.published = source.run->published;
    plan.found.is_over = source.is_over;
    return plan;
}

// Nothing of it can be opened: because nothing is there any more, and then how much that was is noted.
Result<void> archive_nothing(archive::Archive& to, const Source& source, const ArchiveWords& words, const Error& problem) {
    if (!source.run || source.run->published == 0) return problem;
    const auto is_nothing_there = fleet::is_nothing_there(source.connection, source.fleet, *source.run);
    if (!is_nothing_there.ok() || !*is_nothing_there) return problem;
    const auto added = to.add(store::Session(), plan_of(source, words, {}));
    if (!added.ok()) return added.error();
    say_what_is_missing(*added, true);
    return {};
}

Result<void> archive_one(archive::Archive& to, const Source& source, const ArchiveWords& words) {
    Progress reading("reading " + fleet::shown_address(source.target));
    const auto goes_on = [&](double share) { return reading.goes_on(share); };
    const auto store = ingest::open_capture(source.target, goes_on);
    if (!store.ok()) return archive_nothing(to, source, words, store.error());
    // Looked at before the rows are: what comes in between is for the next run.
    const auto index = (*store)->index(goes_on);
    if (!index.ok()) return index.error();
    const auto until = final_until(source, **store, *index);
    if (!until.ok()) return until.error();
    if (!*until) {
        remark(fleet::shown_address(source.target) +
               ": a chunk is missing that may still come; left for a later run (or --as-it-is)");
        return {};
    }
    store::Session session;
    bool is_sound = true;
    ingest::FileOptions options;
    options.on_damage = [&](const std::string& what) {
        warn("damage: " + what);
        is_sound = false;
    };
    options.progress = goes_on;
    if (auto loaded = ingest::load_capture(*store, session, goes_on, options); !loaded.ok()) return loaded;
    archive::AddPlan plan = plan_of(source, words, archive::found_in(*index));
    name_by_itself(session, source, plan);
    plan.until = **until;
    plan.whole_parts = words.whole_parts && **until != store::kNever;
    if (!words.as_it_is && fleet::is_fleet_address(source.target)) plan.is_sound = [&] { return is_sound; };
    Progress writing("archiving " + fleet::shown_address(source.target));
    const auto added =
        to.add(session, plan, [&](std::uint64_t done, std::uint64_t all) { return writing.rows_go_on(done, all); });
    if (!added.ok()) return added.error();
    say_what_is_missing(*added, source.run.has_value());
    remark(fmt::format("{}/{}: {} rows in {} new parts, {} rows in {} parts in all", added->manifest.host,
                       added->manifest.capture, added->rows, added->parts, added->manifest.rows(),
                       added->manifest.parts.size()));
    return {};
}

// Every run of the registry that the address means, of each host all.
Result<std::vector<Source>> sources_of_fleet(const std::string& servers, const fleet::FleetAddress& address, bool as_it_is) {
    fleet::ConnectOptions options;
    options.servers = address.servers;
    options.client = "sla archive";
    auto opened = fleet::Connection::open(options);
    if (!opened.ok()) return opened.error();
    const std::shared_ptr<const fleet::Connection> connection = std::move(*opened);
    if (const auto there = ask_settings(*connection, address.fleet); !there.ok()) return there.error();
    const auto runs = ask_runs(*connection, fleet::captures_bucket(address.fleet));
    if (!runs.ok()) return runs.error();
    if (const std::string absent = address.absent_host(*runs); !absent.empty())
        return not_found(address.text() + ": there is no host '" + absent + "'");
    std::vector<Source> sources;
    for (const fleet::RunEntry& run : *runs) {
        if (!address.wants_host(run.host) || !(address.capture.empty() || address.wants_capture(run.capture))) continue;
        sources.push_back({"fleet:" + servers + "/" + address.fleet + "/" + run.host + "/" + run.capture, run.host,
                           run.capture, as_it_is || archive::is_over(run, *runs), address.fleet, run, connection});
    }
    if (sources.empty()) return not_found(address.text() + ": there is no such capture");
    return sources;
}

// "nats://U:P@A,B" of what is typed, without the path.
std::string servers_in(std::string_view address) {
    const std::size_t begin = address.find("://");
    return std::string(address.substr(0, begin == std::string_view::npos ? begin : address.find('/', begin + 3)));
}

Result<std::vector<Source>> sources_of(const ArchiveWords& words) {
    std::string typed = words.source;
    if (typed.starts_with("nats://") || typed.starts_with("tls://")) {
        if (!fleet::is_token(words.fleet)) {
            return invalid_input("--fleet: '" + words.fleet +
                                 "' is no name of a fleet: letters, digits, _ and - only, 64 at most");
        }
        typed = "fleet:" + servers_in(typed) + "/" + words.fleet;
    }
    if (fleet::is_fleet_address(typed)) {
        const auto address = fleet::parse_fleet_address(typed);
        if (!address.ok()) return address.error();
        return sources_of_fleet(servers_in(typed.substr(std::string("fleet:").size())), *address, words.as_it_is);
    }
    if (typed == "-" || wire::looks_like_address(typed)) {
        return invalid_input("'" + typed +
                             "' cannot be archived: name a capture file, nats://SERVERS, or fleet:nats://SERVERS/FLEET/HOST "
                             "(`sla record` makes a file of what an agent holds)");
    }
    return std::vector<Source>{{typed, "", "", words.as_it_is}};
}

int run_archive(const ArchiveWords& words) {
    const auto sources = sources_of(words);
    if (!sources.ok()) return complain(sources.error());
    auto to = archive::Archive::open(words.folder);
    if (!to.ok()) return complain(to.error());
    int code = kDone;
    for (const Source& source : *sources) {
        if (const auto done = archive_one(*to, source, words); !done.ok()) code = complain(done.error());
    }
    return code;
}

}  // namespace

void add_archive(common::Command& app) {
    common::Command& command =
        app.add_command("archive", "Add a fleet's captures, or a file, to a folder of Parquet files, each row once");
    auto words = std::make_shared<ArchiveWords>();
    command
        .add_option("source", words->source,
                    "nats://[USER:PASSWORD@]HOST[:PORT][,HOST...] (every capture of the fleet), some of its hosts "
                    "(fleet:nats://SERVER/FLEET/HOST[/CAPTURE]), or a capture file")
        .required()
        .value_name("SERVERS|CAPTURE");
    command.add_option("folder", words->folder, "The archive; made when it is not there").required().value_name("DIR");
    command.add_option("--fleet", words->fleet, "Name of the fleet").value_name("NAME").show_default();
    command.add_option("--part-rows", words->part_rows, "Rows of a part, about [8388608]").range(1, 1 << 30).value_name("N");
    command.add_flag("--whole-parts", words->whole_parts,
                     "Of captures that grow, leave a part that is neither full nor of a day that is over to a later run");
    command.add_flag("--as-it-is", words->as_it_is,
                     "Nothing more will come: take also rows behind the last watermark and around chunks that are missing");
    command.footer(
        "DIR/date=YYYY-MM-DD/host=HOST/capture=ID/part-TICK.parquet, a part's rows in order of tick and of one UTC day;\n"
        "DIR/manifest/HOST.ID.json lists the parts. Killed at any moment and run again, every row is there once. What may "
        "still\n"
        "change is left for the next run. What streams let go of before a run came is said, and stands between the parts as "
        "loss\n"
        "rows (kind gap, cause lagged), of channel sla.expired where nobody knows of which channels it was. Credentials of "
        "NATS: $NATS_CREDS, $NATS_CA, $NATS_CERT, $NATS_KEY.\n"
        "  sla archive nats://a,b,c /data/lake --fleet prod --whole-parts      every hour, by cron\n"
        "  duckdb -c \"SELECT host, count(*) FROM read_parquet('/data/lake/**/*.parquet', hive_partitioning = true) GROUP "
        "BY host\"");
    command.action([=] { return run_archive(*words); });
}

}  // namespace sla::cli
