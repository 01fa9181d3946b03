#include "tests/bench/percentiles.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sla::bench {

Percentiles percentiles(std::vector<double>& samples) {
    Percentiles result;
    if (samples.empty()) return result;
    std::sort(samples.begin(), samples.end());
    auto at = [&](double share) {
        auto index = static_cast<std::size_t>(share * static_cast<double>(samples.size()));
        return samples[std::min(index, samples.size() - 1)];
    };
    result.p50 = at(0.5);
    result.p99 = at(0.99);
    result.p999 = at(0.999);
    result.max = samples.back();
    return result;
}

bool pin_to(int core, pid_t who) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    return sched_setaffinity(who, sizeof set, &set) == 0;
}

BenchAgent::BenchAgent(const std::string& binaries, const std::vector<std::string>& options) {
    setenv("SLA_RUNTIME_DIR", directory_.file("run").c_str(), 1);
    std::vector<std::string> argv{binaries + "/sla-agent"};
    argv.insert(argv.end(), options.begin(), options.end());
    pin_to(1);
    process_ = std::make_unique<support::Process>(argv);
    pin_to(0);
    support::eventually([&] { return process_->errors().find("listening on unix:") != std::string::npos; });
}

BenchAgent::~BenchAgent() {
    process_->signal(SIGTERM);
    process_->wait();
}

std::string BenchAgent::address() const {
    return "unix:" + directory_.file("run") + "/agent.sock";
}

// Of each thread, in nanoseconds: /proc/PID/stat counts in hundredths of a second.
double BenchAgent::cpu_seconds() const {
    double seconds = 0;
    const std::string tasks = "/proc/" + std::to_string(process_->pid()) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks)) {
        double on_cpu_ns = 0;
        std::ifstream(task.path() / "schedstat") >> on_cpu_ns;
        seconds += on_cpu_ns * 1e-9;
    }
    return seconds;
}

std::uint64_t BenchAgent::resident_bytes() const {
    std::ifstream statm("/proc/" + std::to_string(process_->pid()) + "/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    statm >> size >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t BenchAgent::peak_bytes() const {
    return bench::peak_bytes(std::to_string(process_->pid()));
}

std::uint64_t peak_bytes(const std::string& process) {
    std::ifstream status("/proc/" + process + "/status");
    const std::string name = "VmHWM:";
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name)) return std::stoull(line.substr(name.size())) * 1024;
    }
    return 0;
}

std::unique_ptr<support::Process> open_window(const std::string& binaries, const BenchAgent& agent, double seconds,
                                              const std::string& memory) {
    const auto frames = std::to_string(static_cast<int>(seconds * 60));
    return std::make_unique<support::Process>(std::vector<std::string>{binaries + "/sla-viewer", agent.address(),
                                                                       "--headless", "--bench", "--frames", frames,
                                                                       "--memory", memory, "--spill", "/var/tmp"});
}

std::string machine() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string line;
    std::string model = "unknown processor";
    while (std::getline(cpuinfo, line)) {
        if (line.starts_with("model name")) model = line.substr(line.find(':') + 2);
    }
    utsname system{};
    uname(&system);
    return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, Linux " + system.release;
}

}  // namespace sla::bench
