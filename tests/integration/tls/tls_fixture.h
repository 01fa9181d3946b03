// An agent that is reached over TLS, and a client that has a configuration of its own, as on another machine.
#pragma once

#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace sla {

class OverTls : public testing::Test {
protected:
    using Process = support::Process;
    struct Said {
        int code = -1;
        std::string output;
        std::string errors;
    };

    // Runs sla-agent for one of its errands; what it printed.
    Said errand(std::vector<std::string> words, const std::string& config = "config") {
        words.insert(words.begin(), SLA_BINARIES "/sla-agent");
        return run(words, {{"XDG_CONFIG_HOME", agent_.file(config)}, {"SLA_RUNTIME_DIR", agent_.runtime()}});
    }
    std::string make_token(const std::string& role, const std::string& name) {
        const Said made = errand({"--make-token", role, name});
        EXPECT_EQ(made.code, 0) << made.errors;
        return made.output.substr(0, made.output.find('\n'));
    }
    static std::string word_behind(const std::string& name, const std::string& text) {
        std::istringstream words(text.substr(std::min(text.find(name), text.size())));
        std::string word;
        words >> word >> word;
        return word;
    }
    // With a certificate; listens on a port of its own.
    void start_agent(std::vector<std::string> options = {}) {
        const Said made = errand({"--make-certificate"});
        ASSERT_EQ(made.code, 0) << made.errors;
        fingerprint_ = word_behind("fingerprint", made.output);
        options.insert(options.end(), {"--listen", "tls:127.0.0.1:0"});
        ASSERT_TRUE(agent_.start(options)) << agent_.process().errors();
        ASSERT_TRUE(support::eventually([&] { return !port().empty(); })) << agent_.process().errors();
    }
    // Of the last line that says so.
    std::string port() {
        const std::string said = agent_.process().errors();
        const std::string kBefore = "listening on tls:127.0.0.1:";
        const std::size_t at = said.find(kBefore);
        const std::size_t end = said.find('\n', at);
        if (at == std::string::npos || end == std::string::npos) return "";
        return said.substr(at + kBefore.size(), end - at - kBefore.size());
    }
    std::string address() { return "tls:127.0.0.1:" + port(); }
    // SIGHUP, and its end.
    void reload() {
        const auto count = [&] {
            const std::string said = agent_.process().errors();
            std::size_t found = 0;
            for (std::size_t at = 0; (at = said.find("read anew", at)) != std::string::npos; at++) found++;
            return found;
        };
        const std::size_t before = count();
        agent_.process().signal(SIGHUP);
        ASSERT_TRUE(support::eventually([&] { return count() > before; })) << agent_.process().errors();
    }
    std::map<std::string, std::string> client_environment(const std::string& token) {
        std::map<std::string, std::string> environment{{"XDG_CONFIG_HOME", agent_.file("client")},
                                                       {"SLA_RUNTIME_DIR", agent_.file("elsewhere")}};
        if (!token.empty()) environment["SLA_TOKEN"] = token;
        return environment;
    }
    Said sla(std::vector<std::string> words, const std::string& token = "") {
        words.insert(words.begin(), SLA_BINARIES "/sla");
        return run(words, client_environment(token));
    }
    static Said run(const std::vector<std::string>& words, const std::map<std::string, std::string>& environment) {
        Process process(words, environment);
        const int code = process.wait().code;
        return {code, process.output(), process.errors()};
    }
    static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

    support::AgentUnderTest agent_{SLA_BINARIES};
    std::string fingerprint_;  // of the agent's certificate
};

}  // namespace sla
