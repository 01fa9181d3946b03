// Order statistics of measured ticks, and the small things that benchmarks share.
#pragma once

#include "tests/support/process.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::bench {

struct Percentiles {
    double p50 = 0;
    double p99 = 0;
    double p999 = 0;
    double max = 0;
};

// Reorders `samples`.
Percentiles percentiles(std::vector<double>& samples);

// The calling thread (or `who`) and its later children run on this core only. False where that is not allowed.
bool pin_to(int core, pid_t who = 0);

// Most that a process, by its number or "self", ever had in memory, programs' rings included.
std::uint64_t peak_bytes(const std::string& process);

// sla-agent on core 1, in a runtime directory that this process's markers look at too.
class BenchAgent {
public:
    explicit BenchAgent(const std::string& binaries, const std::vector<std::string>& options = {});
    ~BenchAgent();
    support::Process& process() { return *process_; }
    [[nodiscard]] std::string address() const;
    [[nodiscard]] const support::TempDir& directory() const { return directory_; }
    // CPU seconds used so far, resident bytes, and the most there were of them.
    [[nodiscard]] double cpu_seconds() const;
    [[nodiscard]] std::uint64_t resident_bytes() const;
    [[nodiscard]] std::uint64_t peak_bytes() const;

private:
    support::TempDir directory_;
    std::unique_ptr<support::Process> process_;
};

// The window without a display, on the agent for so long, with so much memory for live rows.
std::unique_ptr<support::Process> open_window(const std::string& binaries, const BenchAgent& agent, double seconds,
                                              const std::string& memory);

std::string machine();

}  // namespace sla::bench
