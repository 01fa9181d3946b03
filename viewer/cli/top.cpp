// sla top: rates and losses, again and again.
#include "proto/time/duration.h"
#include "viewer/cli/channel_state.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/export/small_table.h"
#include "viewer/ingest/stream_client.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <map>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The ledger at one Status; rates come from two of them.
struct Sample {
    std::uint64_t tick = 0;
    std::map<ChannelId, std::uint64_t> events;
};

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

// Busiest first; at most `limit` rows, 0: all.
exporting::SmallTable table_of(const store::Session& session, const Sample& before, const Sample& now, std::size_t limit) {
    struct Row {
        const store::Lane* lane;
        std::uint64_t rate;
    };
    std::vector<Row> rows;
    const double hz = session.clock().ticks_per_second();
    for (const store::Lane* lane : session.lanes())
        rows.push_back({lane, rate_between(before, now, lane->channel().id, hz)});
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rate > b.rate; });
    exporting::SmallTable table(
        {"channel", "source", "rate_hz", "events", "lost", "losses", "held_bytes", "filtered", "state"});
    for (const Row& row : rows) {
        if (limit != 0 && table.size() >= limit) break;
        const store::Ledger* known = session.ledger(row.lane->channel().id);
        const store::Ledger ledger = known == nullptr ? store::Ledger{} : *known;
        const store::Source* source = session.source_of(*row.lane);
        table.add({row.lane->channel().name, source == nullptr ? "" : source->name, row.rate, ledger.events, ledger.lost(),
                   losses_text(ledger), ledger.retained_bytes, ledger.filtered, channel_state(ledger, now.tick, hz)});
    }
    return table;
}

std::string health_line(const store::Session& session, const Sample& before, const Sample& now) {
    std::uint64_t rate = 0;
    std::uint64_t lost = 0;
    for (const store::Lane* lane : session.lanes()) {
        rate += rate_between(before, now, lane->channel().id, session.clock().ticks_per_second());
        const store::Ledger* ledger = session.ledger(lane->channel().id);
        lost += ledger == nullptr ? 0 : ledger->lost();
    }
    const store::Health& health = session.health();
    return fmt::format(
        "{} events/s, {} lost, agent {:.1f} % of a core, {:.1f} MB resident, {:.1f} of {:.1f} MB held, {} readers, clock "
        "{:.6f} GHz "
        "±{:.0f} ppb",
        rate, lost, health.agent_cpu * 100, static_cast<double>(health.agent_bytes) / 1e6,
        static_cast<double>(health.retained_bytes) / 1e6, static_cast<double>(health.retained_limit) / 1e6, health.readers,
        health.ticks_per_second / 1e9, health.clock_error_ppb);
}

// "trigger slow: armed, 3 shots" for each, or nothing.
std::string trigger_lines(const store::Session& session) {
    std::string out;
    for (const store::TriggerInfo& one : session.health().triggers) {
        out += fmt::format("trigger {}: {}, {} shots", one.name, one.state, one.shots);
        if (one.cannot_tell > 0) out += fmt::format(", {} times losses hid whether it should have fired", one.cannot_tell);
        out += one.problem.empty() ? "\n" : fmt::format(" ({})\n", one.problem);
    }
    return out;
}

// The second line: what is known of the clock, what is wrong with it first.
std::string clock_line(const store::Session& session) {
    const store::ClockHealth& clock = session.health().clock;
    return clock.problem.empty() ? clock.text : "CLOCK: " + clock.problem;
}

std::size_t rows_on_screen() {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 5;
    return known ? size.ws_row - 5u : 40u;
}

void draw_screen(const store::Session& session, const Sample& before, const Sample& now) {
    exporting::ByteBuffer out;
    table_of(session, before, now, rows_on_screen() - std::min(rows_on_screen() - 1, session.health().triggers.size()))
        .append_to(out, exporting::Format::kText);
    std::string screen =
        "\x1b[H" + health_line(session, before, now) + "\n" + clock_line(session) + "\n" + trigger_lines(session) + "\n";
    screen += out.view();
    std::string wiped;
    for (const char c : screen) wiped += c == '\n' ? std::string("\x1b[K\n") : std::string(1, c);
    std::fwrite(wiped.data(), 1, wiped.size(), stdout);
    std::fputs("\x1b[J", stdout);
    std::fflush(stdout);
}

struct TopOptions {
    std::string address;
    bool once = false;
    OutputOptions output;
};

int write_once(const store::Session& session, const Sample& before, const Sample& now, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    auto out = exporting::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    const auto table = table_of(session, before, now, 0);
    if (const auto written = table.write(*format, *out); !written.ok()) return complain(written.error());
    return table.size() > 0 ? kDone : kNo;
}

int run_top(const TopOptions& options) {
    if (!options.once && !(options.output.format.empty() && options.output.path.empty()))
        return complain(invalid_input("--format and -o go with --once: without it a screen is drawn"));
    const auto address =
        options.address.empty() ? Result<wire::Address>(wire::default_address()) : wire::parse_address(options.address);
    if (!address.ok()) return complain(address.error());
    ingest::StreamOptions stream;
    stream.address = *address;
    stream.client = "sla top";
    stream.status_only = true;
    ingest::StreamClient client(stream);
    store::Session session;
    ingest::FrameApplier applier(session);
    client.start();
    Sample before;
    Sample now;
    const auto patience = Clock::now() + std::chrono::seconds(10);  // for two Statuses, about a second apart
    while (interrupted() == 0) {
        client.wait(milliseconds(100));
        while (client.poll(applier, milliseconds(0)) > 0) {  // frame by frame, so that no Status passes unseen
            if (!session.health().known || session.health().tick == now.tick) continue;
            before = std::exchange(now, sample_of(session));
            if (!options.once) draw_screen(session, before, now);
        }
        const bool enough = options.once && (before.tick != 0 || Clock::now() > patience);
        if (client.drained() || enough) break;
    }
    const auto report = client.report();
    if (report.state == ingest::StreamState::kLost) return complain(unavailable(report.message));
    if (!options.once) return kDone;
    if (!session.health().known && interrupted() == 0)
        return complain(unavailable("the agent at " + address->text() + " did not tell how it is in time"));
    return write_once(session, before, now, options.output);
}

}  // namespace

void add_top(CLI::App& app, int& code) {
    CLI::App* command = app.add_subcommand("top", "Watch rates and losses of the running agent's channels");
    auto options = std::make_shared<TopOptions>();
    command->add_option("address", options->address, "Of the agent; default: this user's")->type_name("ADDRESS");
    command->add_flag("--once", options->once, "Write one table and end (takes about a second, for the rates)");
    options->output.add_to(*command);
    command->callback([=, &code] { code = run_top(*options); });
}

}  // namespace sla::cli
