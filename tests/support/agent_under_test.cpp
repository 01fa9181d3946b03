#include "tests/support/agent_under_test.h"

#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace sla::support {

bool AgentUnderTest::start(const std::vector<std::string>& options) {
    std::vector<std::string> argv{binaries_ + "/sla-agent", "--record", capture()};
    argv.insert(argv.end(), options.begin(), options.end());
    process_ = std::make_unique<Process>(argv, environment());
    const auto has_begun = [&] {
        return process_->errors().find("listening on unix:") != std::string::npos || !process_->is_running();
    };
    // A busy machine starts nothing at once.
    return eventually(has_begun, std::chrono::seconds(60)) && process_->is_running();
}

int AgentUnderTest::stop() {
    process_->signal(SIGTERM);
    return process_->wait().code;
}

void AgentUnderTest::kill_hard() {
    process_->signal(SIGKILL);
    process_->wait();
}

std::unique_ptr<store::Session> AgentUnderTest::load() {
    auto session = std::make_unique<store::Session>();
    Result<void> loaded = ingest::load(capture(), *session);
    if (!loaded) ADD_FAILURE() << loaded.error().message;
    return session;
}

}  // namespace sla::support
