#include "viewer/cli/commands/seed_run.h"

#include "proto/base/exit_codes.h"
#include "viewer/process/programs.h"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <string_view>

namespace sla::cli {

namespace {

constexpr std::string_view kOfRecorder = "sla: ";  // begins what it says itself

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
        if (!line.empty() && !line.starts_with(kOfRecorder)) last = line;
    }
    return last;
}

std::optional<std::string> SeedRun::recorder_failure(int code) const {
    if (code == exits::kDone || code > exits::kOutsideFailed) return std::nullopt;
    std::ifstream printed(directory_.printed());
    std::string why;
    for (std::string line; std::getline(printed, line);) {
        if (!line.starts_with(kOfRecorder)) continue;
        if (line.ends_with(fmt::format(" exited with code {}", code))) return std::nullopt;
        why += (why.empty() ? "" : "; ") + line.substr(kOfRecorder.size());
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
