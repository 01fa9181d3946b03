// sla top: rates and losses, again and again.
#include "proto/base/how_many.h"
#include "proto/base/terminal_size.h"
#include "proto/base/terminal_text.h"
#include "proto/time/duration.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fleet/fleet_top.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/growing_table.h"
#include "viewer/cli/text/top_watch.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/ingest/stream_client.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::string health_line(const store::Session& session, const Sample& before, const Sample& now) {
    std::uint64_t rate = 0;
    std::uint64_t lost = session.health().retired_lost;
    for (const store::Lane* lane : session.lanes()) {
        rate += rate_between(before, now, lane->channel().id, session.clock().ticks_per_second());
        const store::Ledger* ledger = session.ledger(lane->channel().id);
        lost += ledger == nullptr || ledger->retired ? 0 : ledger->lost();
    }
    const store::Health& health = session.health();
    return fmt::format("{} events/s, {} lost, agent {:.1f} % of a core, {}, clock {:.6f} GHz ±{:.0f} ppb", rate, lost,
                       health.agent_cpu * 100, how_many(health.readers, "reader"), health.ticks_per_second / 1e9,
                       health.clock_error_ppb);
}

// "trigger slow: armed, 3 shots" for each, or nothing.
std::string trigger_lines(const store::Session& session) {
    std::string out;
    for (const store::TriggerInfo& one : session.health().triggers) {
        out += fmt::format("trigger {}: {}, {} shots", one.name, one.state, one.shots);
        if (one.shots_lacking > 0) out += fmt::format(" ({} not held whole)", one.shots_lacking);
        if (one.cannot_tell > 0) out += fmt::format(", {} times losses hid whether it should have fired", one.cannot_tell);
        out += one.problem.empty() ? "\n" : fmt::format(" ({})\n", one.problem);
    }
    return out;
}

// The fourth line: what is known of the clock, what is wrong with it first.
std::string clock_line(const store::Session& session) {
    const store::ClockHealth& clock = session.health().clock;
    return clock.problem.empty() ? clock.text : "CLOCK: " + clock.problem;
}

TerminalSize screen_size() {
    const auto known = terminal_size(STDOUT_FILENO);
    return known && known->rows > 0 ? *known : TerminalSize{47, 120};
}

// What is longer than a line of the screen is cut: a line that goes on in the next moves all below it.
void draw_screen(const TopWatch& watch) {
    const store::Session& session = watch.session();
    const TerminalSize size = screen_size();
    const std::string head = watch.head() + "\n";
    const auto above = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n')) + 1;  // and the columns' names
    const std::size_t rows = size.rows > above + 1 ? size.rows - above - 1 : 1;
    std::istringstream lines(head + people_top_table(session, watch.before(), watch.now(), rows).text());
    std::string screen = "\x1b[H";
    std::size_t drawn = 0;
    for (std::string line; drawn + 1 < size.rows && std::getline(lines, line); ++drawn)
        screen += std::string(first_columns(line, size.columns)) + "\x1b[K\n";
    std::fwrite(screen.data(), 1, screen.size(), stdout);
    std::fputs("\x1b[J", stdout);
    std::fflush(stdout);
}

struct TopOptions {
    std::string address;
    bool once = false;
    OutputOptions output;
};

// The agent, Status by Status.
class AgentWatch final : public TopWatch {
public:
    explicit AgentWatch(const wire::Address& address)
        : address_(address), client_(options_for(address)), applier_(session_) {
        client_.start();
    }

    Result<void> run(const Each& each) override {
        for (bool on = true; on && interrupted() == 0;) {
            client_.wait(milliseconds(100));
            while (on && client_.poll(applier_, milliseconds(0)) > 0) {  // frame by frame, so that no Status passes unseen
                if (!session_.health().known || session_.health().tick == now().tick) continue;
                take(sample_of(session_));
                on = each();
            }
            if (client_.drained()) break;
            if (!has_rates() && Clock::now() > timeout_)
                return unavailable("the agent at " + address_.text() + " did not report its state in time");
        }
        const auto report = client_.report();
        if (report.state == ingest::StreamState::kLost) return unavailable(report.message);
        return {};
    }

    [[nodiscard]] const store::Session& session() const override { return session_; }
    [[nodiscard]] std::string head() const override {
        return health_line(session_, before(), now()) + "\n" + memory_lines(session_.health()) +
               publishing_lines(session_.health().publishing) + clock_line(session_) + "\n" + trigger_lines(session_);
    }

private:
    static ingest::StreamOptions options_for(const wire::Address& address) {
        ingest::StreamOptions stream;
        stream.address = address;
        stream.client = "sla top";
        stream.status_only = true;
        return stream;
    }

    wire::Address address_;
    ingest::StreamClient client_;
    store::Session session_;
    ingest::FrameApplier applier_;
    Clock::time_point timeout_ = Clock::now() + std::chrono::seconds(10);
};

int draw_screens(TopWatch& watch) {
    const auto ended = watch.run([&] {
        draw_screen(watch);
        return true;
    });
    return ended.ok() ? kDone : complain(ended.error());
}

// Once: of a rate two Statuses are needed, about a second apart. Else until the agent ends, or Ctrl-C, which is no failure.
int write_tables(TopWatch& watch, const TopOptions& options) {
    auto tables = GrowingTable::open(options.output);
    if (!tables.ok()) return complain(tables.error());
    const auto add = [&] {
        const TopRows rows = options.once ? TopRows::kOfOneMoment : TopRows::kWithTime;
        return tables->add(top_table(watch.session(), watch.before(), watch.now(), rows, 0));
    };
    Result<void> written;
    const auto ended = watch.run([&] {
        if (!watch.has_rates()) return true;
        written = add();
        return written.ok() && !options.once && !tables->is_closed();
    });
    if (!ended.ok()) return complain(ended.error());
    if (tables->rows() == 0 && watch.now().tick != 0) written = add();  // it ended before there was a rate
    if (written.ok()) written = tables->finish();
    if (!written.ok()) return complain(written.error());
    return tables->rows() > 0 ? kDone : kNo;
}

// One table for people.
int write_once(TopWatch& watch, const TopOptions& options) {
    auto out = formats::Output::open(options.output.path);
    if (!out.ok()) return complain(out.error());
    const auto ended = watch.run([&] { return !watch.has_rates(); });
    if (!ended.ok()) return complain(ended.error());
    const formats::PeopleTable table = people_top_table(watch.session(), watch.before(), watch.now(), 0);
    if (const auto written = table.write(*out); !written.ok()) return complain(written.error());
    return table.size() > 0 ? kDone : kNo;
}

Result<std::unique_ptr<TopWatch>> watch_of(const std::string& typed) {
    if (fleet::is_fleet_address(typed)) return watch_fleet_channels(typed);
    const auto address = agent_address(typed);
    if (!address.ok()) return address.error();
    return std::unique_ptr<TopWatch>(std::make_unique<AgentWatch>(*address));
}

int run_top(const TopOptions& options) {
    const bool draws = !options.once && !options.output.raw && options.output.format.empty() &&
                       options.output.path.empty() && isatty(STDOUT_FILENO) == 1;
    if (const auto format = options.output.chosen(); !format.ok()) return complain(format.error());
    const auto opened = watch_of(options.address);
    if (!opened.ok()) return complain(opened.error());
    TopWatch& watch = **opened;
    if (options.once && options.output.is_for_people(*options.output.chosen())) return write_once(watch, options);
    return draws ? draw_screens(watch) : write_tables(watch, options);
}

}  // namespace

void add_top(common::Command& app) {
    common::Command& command =
        app.add_command("top", "Watch rates and losses of the running agent's channels, or of a fleet's");
    auto options = std::make_shared<TopOptions>();
    add_agent(command, options->address, "address");
    command.add_flag("--once", options->once, "Write one table and end (takes about a second, for the rates)");
    options->output.add_to(command);
    options->output.add_raw(command);
    command.footer(
        "On a terminal: a screen, drawn anew every second. With --format or -o, and on a pipe: one table that grows by all\n"
        "channels every second, each row with its time_ns, until Ctrl-C or the agent's end. With --once: one table.\n"
        "Of a fleet (sla top fleet:nats://SERVER/FLEET[/HOST]) the channels of all its hosts as they are published: what "
        "each has "
        "in the cluster,\nhow fast more comes, and what is lost; hosts that appear are taken in. What agents hold is not "
        "told "
        "there.");
    command.action([=] { return run_top(*options); });
}

}  // namespace sla::cli
