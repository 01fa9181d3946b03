// A real sla-agent in a runtime directory of its own.
#pragma once

#include "tests/support/process.h"
#include "viewer/store/session.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sla::support {

class AgentUnderTest {
public:
    // `binaries`: the folder with sla-agent in it.
    explicit AgentUnderTest(std::string binaries) : binaries_(std::move(binaries)) {}

    // Starts the agent with --record and these options, and waits until it listens. False: it said why on stderr.
    bool start(const std::vector<std::string>& options = {});
    // SIGTERM; waits until the capture is whole. The exit code.
    int stop();
    void kill_hard();

    // Its configuration directory is its own too, and empty.
    [[nodiscard]] std::map<std::string, std::string> environment() const {
        return {{"SLA_RUNTIME_DIR", runtime()}, {"XDG_CONFIG_HOME", directory_.file("config")}};
    }
    [[nodiscard]] std::string runtime() const { return directory_.file("run"); }
    [[nodiscard]] std::string capture() const { return directory_.file("capture.sla"); }
    [[nodiscard]] std::string address() const { return "unix:" + runtime() + "/agent.sock"; }
    [[nodiscard]] std::string file(const std::string& name) const { return directory_.file(name); }
    Process& process() { return *process_; }
    // What the newest recording holds; empty session and a test failure when it cannot be read.
    std::unique_ptr<store::Session> load();

private:
    std::string binaries_;
    TempDir directory_;
    std::unique_ptr<Process> process_;
};

}  // namespace sla::support
