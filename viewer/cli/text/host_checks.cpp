#include "viewer/cli/text/host_checks.h"

#include "proto/base/runtime_dir.h"
#include "proto/common/clock/clock_health.h"
#include "proto/wire/control.pb.h"
#include "viewer/cli/text/agent_lines.h"
#include "viewer/cli/text/agent_status.h"
#include "viewer/cli/text/environment_checks.h"
#include "viewer/ingest/open.h"
#include "viewer/process/programs.h"
#include "viewer/store/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>

namespace sla::cli {

const char* check_state_name(CheckState state) {
    switch (state) {
        case CheckState::kAvailable: return "available";
        case CheckState::kNoPermission: return "no permission";
        case CheckState::kNotPresent: return "not present";
    }
    return "not present";
}

namespace {

constexpr int kSnapshots = 4;
constexpr auto kBetweenSnapshots = std::chrono::milliseconds(40);
constexpr const char* kClockFix =
    "start the agent with SLA_CLOCK=raw in its environment: slower markers, a clock of the kernel's";

// Empty when it can be made, with the directories above it that are missing.
std::string why_not_makeable(const std::string& dir) {
    std::filesystem::path above = std::filesystem::path(dir).parent_path();
    std::error_code ignored;
    while (above.has_relative_path() && !std::filesystem::exists(above, ignored)) above = above.parent_path();
    return access(above.c_str(), W_OK | X_OK) == 0 ? std::string() : above.string() + ": " + std::strerror(errno);
}

Check runtime_dir_check() {
    std::string dir(4096, '\0');
    const int length = sla_runtime_path(dir.data(), dir.size(), nullptr);
    Check check{"runtime directory", CheckState::kAvailable, "", "", true};
    if (length < 0)
        return {check.name, CheckState::kNotPresent, "its path is too long", "set SLA_RUNTIME_DIR to a short path", true};
    dir.resize(static_cast<std::size_t>(length));
    check.detail = dir;
    if (dir.size() + 1 + std::string_view(SLA_PROGRAMS_SOCKET).size() >= sizeof(sockaddr_un::sun_path))
        return {check.name, CheckState::kNotPresent, dir + " is too long a path for the agent's sockets",
                "set SLA_RUNTIME_DIR to a short path", true};
    const int trust = sla_runtime_dir_trusted(dir.c_str());
    if (trust == ENOENT) {
        if (const std::string why = why_not_makeable(dir); !why.empty())
            return {check.name, CheckState::kNoPermission, dir + " cannot be made: " + why,
                    "set SLA_RUNTIME_DIR to a directory of your own", true};
        check.detail += " (made when an agent starts)";
    }
    if (trust != 0 && trust != ENOENT) {
        check.state = CheckState::kNoPermission;
        check.detail += ": " + std::string(trust == EPERM ? "not yours, or open to others" : std::strerror(trust));
        check.fix = "chmod 700 " + dir + " if it is yours, or set SLA_RUNTIME_DIR to a directory of your own";
    }
    return check;
}

// A socket of another user's; whoever may not write to it cannot connect.
bool is_closed_to_us(const wire::Address& address) {
    return address.family == wire::Address::Family::kUnix &&
           faccessat(AT_FDCWD, address.path.c_str(), W_OK, AT_EACCESS) != 0 && errno == EACCES;
}

// The agent's answer, and what it knows of its clock.
std::vector<Check> agent_checks(const wire::Address& address) {
    store::Session session;
    const auto told = ingest::load_names(address, "sla doctor", session, [] { return true; });
    if (!told.ok()) {
        if (is_closed_to_us(address)) return {{"agent", CheckState::kNoPermission, told.error().message, "", false}};
        return {{"agent", CheckState::kNotPresent, told.error().message,
                 "sla-agent   (not needed for: sla record -- PROGRAM)", false}};
    }
    Check check{"agent", CheckState::kAvailable, "answers at " + address.text(), "", false};
    if (!session.health().clock.known) return {check};
    const store::ClockHealth& clock = session.health().clock;
    Check of_clock{"agent's clock", CheckState::kAvailable, clock.text, "", false};
    if (!clock.problem.empty()) {
        of_clock.state = CheckState::kNotPresent;
        of_clock.detail = clock.problem + " (" + clock.text + ")";
        of_clock.fix = kClockFix;
    }
    return {check, of_clock};
}

Check tsc_check() {
    const time::TscHealth health = time::tsc_health();
    Check check{"time-stamp counter", CheckState::kAvailable, health.text(), "", true};
    if (!health.good()) {
        check.state = CheckState::kNotPresent;
        check.fix =
            "use a machine whose TSC runs at one rate (constant_tsc nonstop_tsc in /proc/cpuinfo); here times are good, but "
            "a "
            "marker costs more";
    }
    check.essential = !health.present;
    return check;
}

// The clock that an agent would stamp with here, looked at for a moment.
Check clock_check() {
    time::HealthWatch watch(time::stamp_clock(), time::tsc_health().invariant);
    for (int i = 0; i < kSnapshots; ++i) {
        time::ClockSnapshot snapshot = time::take_snapshot();
        if (i == 0) snapshot.stamp_ticks = time::measure_stamp_ticks();
        watch.on_snapshot(snapshot);
        watch.on_reading(snapshot.tick);
        if (i == 0) watch.on_skew(time::measure_core_skew());
        if (i + 1 < kSnapshots) std::this_thread::sleep_for(kBetweenSnapshots);
    }
    const std::string problem = watch.health().problem();
    if (problem.empty()) return {"clock", CheckState::kAvailable, watch.health().text(), "", false};
    return {"clock", CheckState::kNotPresent, problem + " (" + watch.health().text() + ")", kClockFix, false};
}

Check memfd_check() {
    Check check{"sealed shared memory", CheckState::kAvailable, "memfd_create with seals works", "", true};
    const int fd = memfd_create("sla-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const bool works = fd >= 0 && ftruncate(fd, 4096) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0;
    if (!works) {
        check.state = errno == EPERM || errno == EACCES ? CheckState::kNoPermission : CheckState::kNotPresent;
        check.detail = std::string("memfd_create with seals: ") + std::strerror(errno);
        check.fix = "a Linux kernel of 3.17 or later, with no sandbox that forbids memfd_create";
    }
    if (fd >= 0) close(fd);
    return check;
}

Check sister_check(const std::string& name, const std::string& needed_for) {
    Check check{name, CheckState::kAvailable, process::sister_program(name), "", false};
    if (process::program_exists(name)) return check;
    return {name, CheckState::kNotPresent, "neither beside sla nor in PATH; needed for " + needed_for,
            "install it beside sla", false};
}

// The agent knows the sources of events; it says so in lines of NAME, STATE, DETAIL and FIX.
std::vector<Check> source_checks() {
    std::vector<Check> checks;
    const auto lines = ask_agent({"--sources"}, std::chrono::seconds(20));
    if (!lines.ok()) return checks;
    for (std::vector<std::string> words : lines->rows) {
        words.resize(4);
        if (words[0].empty() || words[1].empty()) continue;
        Check check{words[0], CheckState::kNotPresent, words[2], words[3], false};
        for (const CheckState each : {CheckState::kAvailable, CheckState::kNoPermission}) {
            if (words[1] == check_state_name(each)) check.state = each;
        }
        checks.push_back(check);
    }
    return checks;
}

}  // namespace

std::vector<Check> check_host(const wire::Address& agent) {
    std::vector<Check> checks{tsc_check(), clock_check(), memfd_check(), runtime_dir_check()};
    const std::vector<Check> of_agent = agent_checks(agent);
    checks.insert(checks.end(), of_agent.begin(), of_agent.end());
    checks.push_back(sister_check("sla-agent", "sla record"));
    checks.push_back(sister_check("sla-viewer", "sla draw"));
    for (Check& check : environment_checks()) checks.push_back(std::move(check));
    for (Check& check : source_checks()) checks.push_back(std::move(check));
    if (auto history = history_check(agent)) checks.push_back(std::move(*history));
    return checks;
}

namespace {

Check judge(const store::Session& session) {
    const store::Health& health = session.health();
    std::string shortest;
    std::size_t capped = 0;
    for (const store::Lane* lane : session.lanes()) {
        const store::Ledger* ledger = session.ledger(lane->channel().id);
        if (ledger == nullptr || !ledger->capped) continue;
        if (capped++ == 0) {
            shortest = lane->channel().name + ": " + channel_state(session, *lane, *ledger);
        }
    }
    Check check{"history in the agent", CheckState::kAvailable, "", "", false};
    check.detail = fmt::format("{:.1f} MB of {:.1f} MB held", static_cast<double>(health.retained_bytes) / 1e6,
                               static_cast<double>(health.retained_limit) / 1e6);
    if (capped == 0) return check;
    check.state = CheckState::kNotPresent;
    check.detail += fmt::format("; {} channels are kept for less time than asked ({})", capped, shortest);
    check.fix = "sla set --memory SIZE, sla set GLOB --bytes SIZE, or a shorter sla set --keep TIME";
    return check;
}

}  // namespace

std::optional<Check> history_check(const wire::Address& agent) {
    store::Session session;
    static_cast<void>(ask_for_status(agent, "sla doctor", std::chrono::seconds(3), session).ok());  // what it said counts
    if (!session.health().known) return std::nullopt;
    return judge(session);
}

}  // namespace sla::cli
