// The command line as a function: arguments in, exit code and what was printed out.
#pragma once

#include "tests/support/with_directory.h"
#include "viewer/cli/command.h"

#include <gtest/gtest.h>

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

using support::WithDirectory;

}  // namespace sla::cli
