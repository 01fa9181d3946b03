// The outside world fails once, at each call in turn, in agent, marker library or command line: nobody crashes, hangs or
// lies.
//
// In a run of all tests a sample of the calls fails: of each function the first one, the middle one and the last one, with
// one error each; of allocations some more of the last ones, when all threads are at work. SLA_FAULTS=all lets every call
// fail with every error (tests/bench/faults.sh); SLA_FAULT_ONLY=PROGRAM:CALL:N:ERRNO runs one of them again.
#include "tests/integration/faults/fault_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace sla::faults {
namespace {

constexpr std::uint64_t kMaxOfOneCall = 60;  // in the long form; of more of them, evenly chosen ones

bool all_of_them() {
    const char* form = std::getenv("SLA_FAULTS");
    return form != nullptr && std::strcmp(form, "all") == 0;
}

std::set<std::uint64_t> numbers_of(const std::string& call, std::uint64_t calls) {
    std::set<std::uint64_t> numbers;
    if (!all_of_them()) {
        numbers = {1, (calls + 1) / 2, calls};
        if (call == "malloc") numbers.insert({calls - calls / 16, calls - calls / 32, calls - calls / 64});
        return numbers;
    }
    const std::uint64_t chosen = std::min(calls, kMaxOfOneCall);
    for (std::uint64_t i = 0; i < chosen; i++) numbers.insert(1 + i * calls / chosen);
    return numbers;
}

std::vector<int> errors_of(const std::string& call, std::uint64_t number) {
    if (call == "malloc") return {ENOMEM};
    if (call == "accept") return {EMFILE};
    constexpr std::array<int, 3> kErrors = {ENOSPC, EIO, ENOMEM};
    if (all_of_them()) return {kErrors.begin(), kErrors.end()};
    return {kErrors[(call.size() + number) % kErrors.size()]};
}

std::vector<Fault> faults_of(const std::string& program, const std::map<std::string, std::uint64_t>& calls) {
    std::vector<Fault> faults;
    for (const auto& [call, count] : calls) {
        if (count == 0 || (call == "malloc" && program == "sla-fault-program")) continue;  // the library allocates nothing
        for (const std::uint64_t number : numbers_of(call, count)) {
            for (const int error : errors_of(call, number)) faults.push_back({program, call, number, error});
        }
    }
    return faults;
}

// One of several equal shares of a victim's faults: part `index` of `parts`.
struct Share {
    const char* program;
    const char* name;
    std::size_t index;
    std::size_t parts;
};

std::ostream& operator<<(std::ostream& out, const Share& share) {
    return out << "part " << share.index + 1 << " of " << share.parts;
}

std::vector<Share> shares() {
    std::vector<Share> all;
    struct Victim {
        const char* program;
        const char* name;
        std::size_t parts;
    };
    for (const Victim& victim :
         {Victim{"sla-agent", "Agent", 16}, Victim{"sla-fault-program", "Library", 6}, Victim{"sla", "CommandLine", 8}}) {
        for (std::size_t i = 0; i < victim.parts; i++) all.push_back({victim.program, victim.name, i, victim.parts});
    }
    return all;
}

class FaultSweep : public testing::TestWithParam<Share> {
protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        GTEST_SKIP() << "a sanitizer's runtime must be loaded first, and makes calls of its own";
#endif
    }
};

TEST_P(FaultSweep, EndsInGoodOrderWhateverCallFails) {
    const Share share = GetParam();
    const Outcome well = run_scenario({share.program, "", 0, 0});
    ASSERT_EQ(well.problems, "") << "without any fault";
    const std::vector<Fault> faults = faults_of(share.program, well.calls);
    ASSERT_GT(faults.size(), share.parts);
    for (std::size_t i = share.index; i < faults.size(); i += share.parts) {
        const auto begin = std::chrono::steady_clock::now();
        const Outcome outcome = run_scenario(faults[i]);
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
        if (all_of_them()) {
            std::cout << faults[i].text() << ", " << took.count() << " ms" << (outcome.problems.empty() ? "" : " WRONG")
                      << std::endl;
        }
        EXPECT_EQ(outcome.problems, "") << faults[i].text();
    }
}

std::string name_of(const testing::TestParamInfo<Share>& share) {
    return share.param.name + std::to_string(share.param.index + 1);
}

INSTANTIATE_TEST_SUITE_P(Of, FaultSweep, testing::ValuesIn(shares()), name_of);

TEST(OneFault, EndsInGoodOrder) {
    const char* only = std::getenv("SLA_FAULT_ONLY");
    if (only == nullptr) GTEST_SKIP() << "SLA_FAULT_ONLY=PROGRAM:CALL:N:ERRNO says which";
    std::istringstream words(only);
    Fault fault;
    std::string number;
    std::string error;
    std::getline(words, fault.program, ':');
    std::getline(words, fault.call, ':');
    std::getline(words, number, ':');
    std::getline(words, error, ':');
    fault.number = std::stoull(number);
    fault.error = std::stoi(error);
    EXPECT_EQ(run_scenario(fault).problems, "") << fault.text();
}

}  // namespace
}  // namespace sla::faults
