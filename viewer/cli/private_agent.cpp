#include "viewer/cli/private_agent.h"

#include "proto/base/runtime_dir.h"
#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/last_line.h"
#include "viewer/cli/text/progress.h"
#include "viewer/ingest/request.h"
#include "viewer/process/programs.h"

#include <sys/un.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

namespace sla::cli {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr auto kTimeoutToStart = seconds(15);
constexpr auto kTimeoutToAnswer = milliseconds(500);  // what listens may not run yet, or never
constexpr auto kTimeoutToFinish = seconds(120);

// A socket's path has little space.
std::string parent_of_runtime_dirs() {
    constexpr std::size_t kLongestName = 40;  // sla-record-XXXXXX, and of what is in it
    const char* base = std::getenv("TMPDIR");
    const std::string parent = base != nullptr && *base != '\0' ? base : "/tmp";
    return parent.size() + kLongestName > sizeof(sockaddr_un::sun_path) ? "/tmp" : parent;
}

}  // namespace

Result<std::unique_ptr<PrivateAgent>> PrivateAgent::prepare() {
    auto directory = process::OwnDirectory::make(parent_of_runtime_dirs(), "record");
    if (!directory.ok()) return directory.error();
    return std::unique_ptr<PrivateAgent>(new PrivateAgent(std::move(*directory)));
}

Result<std::unique_ptr<PrivateAgent>> PrivateAgent::start(const std::string& record_file,
                                                          const std::vector<std::string>& more_options) {
    auto self = prepare();
    if (!self.ok()) return self.error();
    if (auto launched = (*self)->launch(record_file, more_options); !launched.ok()) return launched.error();
    return self;
}

Result<void> PrivateAgent::launch(const std::string& record_file, const std::vector<std::string>& more_options) {
    process::ChildOptions options;
    options.argv = {process::sister_program("sla-agent"), "--no-config"};
    if (!record_file.empty()) options.argv.insert(options.argv.end(), {"--record", record_file});
    options.argv.insert(options.argv.end(), more_options.begin(), more_options.end());
    options.environment = {{"SLA_RUNTIME_DIR", runtime_dir()}};
    options.output = directory_.file("agent.log");
    options.apart = true;
    auto child = process::Child::start(options);
    if (!child.ok()) return unavailable(child.error().message + ". Install it beside `sla` or put it into PATH");
    agent_ = std::make_unique<process::Child>(std::move(*child));
    const auto until = Clock::now() + kTimeoutToStart;
    wire::Address own;
    own.path = directory_.file(SLA_AGENT_SOCKET);
    while (!ingest::is_running(own, kTimeoutToAnswer)) {
        if (const auto ending = agent_->wait(milliseconds(10))) return died(*ending, "at its start");
        if (interrupted() != 0) {
            static_cast<void>(finish());  // a file that it has begun is whole
            return unavailable("stopped before the recording began");
        }
        if (Clock::now() > until) return unavailable("sla-agent does not get ready. It says: " + log());
    }
    return {};
}

bool PrivateAgent::has_died() {
    return agent_->wait(milliseconds(0)).has_value();
}

Result<void> PrivateAgent::finish() {
    Progress progress("finishing the capture");
    agent_->signal(SIGTERM);
    const auto until = Clock::now() + kTimeoutToFinish;
    while (Clock::now() < until) {
        progress.show(-1);
        const auto ending = agent_->wait(milliseconds(100));
        if (!ending) continue;
        if (ending->code == 0) return {};
        return died(*ending, "while it finished the capture");
    }
    return unavailable("sla-agent does not finish; it is ended now. What it had written can be read");
}

std::string PrivateAgent::log() const {
    const std::string last = last_line(directory_.file("agent.log"));
    return last.empty() ? "nothing" : last;
}

std::vector<std::string> PrivateAgent::warnings() const {
    constexpr std::string_view kMark = "sla-agent: warning: ";
    std::ifstream in(directory_.file("agent.log"));
    std::vector<std::string> warnings;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(kMark)) warnings.push_back(line.substr(kMark.size()));
    }
    return warnings;
}

Error PrivateAgent::died(const process::Ending& ending, const std::string& when) const {
    std::string said = log();
    if (said.starts_with("sla-agent: ")) said.erase(0, 11);
    if (ending.code == kWrongUse) return invalid_input(said);
    return unavailable("sla-agent " + ending.text() + " " + when + ". It says: " + log());
}

}  // namespace sla::cli
