#include "viewer/cli/commands/seed_run.h"

#include "proto/base/exit_codes.h"
#include "viewer/process/programs.h"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <string_view>
#include <utility>

namespace sla::cli {

namespace {

constexpr std::string_view kOfRecorder = "sla: ";  // begins what it says itself

// Where in a line that begins; npos: nowhere. How the program ended stands behind what that printed last without a line's end.
std::size_t recorder_begins(std::string_view line) {
    if (line.starts_with(kOfRecorder)) return 0;
    const std::size_t at = line.rfind(kOfRecorder);
    return at != line.npos && line.find(" exited with code ", at) != line.npos ? at : line.npos;
}

}  // namespace

Result<SeedRun> SeedRun::start(const SeededProgram& program, std::uint64_t seed, const std::string& run_for) {
    auto directory = RunDirectory::make();
    if (!directory.ok()) return directory.error();
    process::ChildOptions how;
    how.argv = {process::sister_program("sla"), "-q", "record", "-o", directory->capture()};
    if (!run_for.empty()) how.argv.insert(how.argv.end(), {"--for", run_for});
    how.argv.emplace_back("--");
    const auto words = program.words(seed);
    how.argv.insert(how.argv.end(), words.begin(), words.end());
    how.output = directory->printed();
    how.no_input = true;
    how.apart = true;
    auto child = process::Child::start(how);
    if (!child.ok()) return child.error();
    return SeedRun(seed, std::move(*directory), std::move(*child));
}

std::string SeedRun::last_words() const {
    std::ifstream printed(directory_.printed());
    std::string last;
    for (std::string line; std::getline(printed, line);) {
        if (std::string of_program = line.substr(0, recorder_begins(line)); !of_program.empty())
            last = std::move(of_program);
    }
    return last;
}

std::optional<std::string> SeedRun::recorder_failure(int code) const {
    if (code == exits::kDone || code > exits::kOutsideFailed) return std::nullopt;
    std::ifstream printed(directory_.printed());
    std::string why;
    for (std::string line; std::getline(printed, line);) {
        const std::size_t at = recorder_begins(line);
        if (at == line.npos) continue;
        if (line.ends_with(fmt::format(" exited with code {}", code))) return std::nullopt;
        why += (why.empty() ? "" : "; ") + line.substr(at + kOfRecorder.size());
    }
    return why.empty() ? fmt::format("sla record ended with code {} and said nothing", code) : why;
}

void SeedRun::stop() {
    constexpr auto kTimeout = std::chrono::seconds(15);
    child_.signal(SIGTERM);
    const auto until = std::chrono::steady_clock::now() + kTimeout;
    while (!child_.wait(std::chrono::milliseconds(50)) && std::chrono::steady_clock::now() < until) {
    }
}

}  // namespace sla::cli
