// An agent that is reached by ssh:, and a program called `ssh` of the test's own, first in PATH.
#pragma once

#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sla {

class OverSsh : public testing::Test {
protected:
    // A shell script; "$3" is the host, "$4" the command for it.
    void write_ssh(const std::string& script) {
        std::filesystem::create_directories(agent_.file("bin"));
        const std::string path = agent_.file("bin/ssh");
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        chmod(path.c_str(), 0700);
    }
    // Runs the command here, as a child of its own, and notes who was asked for what and which processes do it.
    void write_local_ssh() {
        write_ssh("printf '%s\\n' \"$@\" >>'" + asked_ + "'\necho $$ >>'" + pids_ +
                  "'\nexport PATH='" SLA_BINARIES "':/usr/bin:/bin\n" + "sh -c \"echo \\$\\$ >>'" + pids_ + "'; exec $4\"");
    }
    std::unique_ptr<support::Process> start(std::vector<std::string> words) {
        words.insert(words.begin(), SLA_BINARIES "/sla");
        auto environment = agent_.environment();
        environment["PATH"] = agent_.file("bin") + ":/usr/bin:/bin";
        environment["LC_ALL"] = "C.UTF-8";
        return std::make_unique<support::Process>(words, environment);
    }
    [[nodiscard]] std::string address(const std::string& host = "ann@lab") const {
        return "ssh:" + host + ":" + agent_.runtime() + "/agent.sock";
    }
    static std::vector<std::string> lines_of(const std::string& path) {
        std::ifstream in(path);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        return lines;
    }
    // Every process that a script noted is gone; zombies count as there.
    [[nodiscard]] bool all_are_gone() const {
        return support::eventually([&] {
            for (const std::string& pid : lines_of(pids_)) {
                if (kill(static_cast<pid_t>(std::stol(pid)), 0) == 0) return false;
            }
            return true;
        });
    }

    support::AgentUnderTest agent_{SLA_BINARIES};
    std::string asked_ = agent_.file("asked");
    std::string pids_ = agent_.file("pids");
};

}  // namespace sla
