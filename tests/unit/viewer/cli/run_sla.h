// The command line as a function: arguments in, exit code and what was printed out.
#pragma once

#include "viewer/cli/command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sla::cli {

struct Outcome {
    int code = 0;
    std::string out;
    std::string errors;
};

inline Outcome run_sla(std::vector<std::string> words) {
    words.insert(words.begin(), "sla");
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Outcome outcome;
    outcome.code = run(static_cast<int>(argv.size()), argv.data());
    outcome.out = testing::internal::GetCapturedStdout();
    outcome.errors = testing::internal::GetCapturedStderr();
    return outcome;
}

// A directory that goes with the test.
class WithDirectory : public ::testing::Test {
protected:
    WithDirectory() : dir_(std::filesystem::path(::testing::TempDir()) / ("sla_cli_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(dir_);
    }
    ~WithDirectory() override { std::filesystem::remove_all(dir_); }
    [[nodiscard]] std::string file(const std::string& name) const { return dir_ / name; }
    static std::string content(const std::string& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    std::filesystem::path dir_;
};

}  // namespace sla::cli
