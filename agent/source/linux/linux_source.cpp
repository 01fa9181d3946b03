#include "agent/source/linux/linux_source.h"

#include "agent/source/linux/tracefs.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace sla::source {
namespace {

constexpr std::uint64_t kMostBufferPerCpu = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostBufferInAll = std::uint64_t{256} << 20;
constexpr std::uint64_t kLeastBufferPerCpu = std::uint64_t{1} << 20;
constexpr std::size_t kBytesPerRound = std::size_t{64} << 10;  // of each CPU: some 1 300 events
constexpr std::size_t kRoundsPerStep = 32;
constexpr std::uint64_t kTicksBetweenSettling = 1'000'000'000;  // some 0.4 s
constexpr std::uint64_t kTicksToNextTry = 100'000'000;

std::uint64_t buffer_per_cpu(std::uint64_t asked, std::size_t cpus) {
    if (asked != 0) return asked;
    return std::clamp(kMostBufferInAll / std::max<std::size_t>(cpus, 1), kLeastBufferPerCpu, kMostBufferPerCpu);
}

}  // namespace

Result<std::unique_ptr<LinuxSource>> LinuxSource::start(const LinuxOptions& options, LaneSink& sink) {
    std::vector<SelectedEvent> events;
    if (!options.events.empty()) {
        auto parsed = parse_event_selection(options.events);
        if (!parsed) return parsed.error();
        events = std::move(*parsed);
    }
    auto tracefs = find_tracefs();
    if (!tracefs) return tracefs.error();
    TraceInstance::sweep(*tracefs);
    UprobeSet::sweep(*tracefs);
    const auto cpus = static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_CONF)));
    auto trace = TraceInstance::create(*tracefs, buffer_per_cpu(options.buffer_bytes, cpus));
    if (!trace) return trace.error();
    std::unique_ptr<LinuxSource> source(new LinuxSource(*tracefs, std::move(*trace), sink));
    if (Result<void> set = source->set_up(*tracefs, events, options); !set) return set.error();
    return source;
}

Result<void> LinuxSource::set_up(const std::string& tracefs, const std::vector<SelectedEvent>& events,
                                 const LinuxOptions& options) {
    if (Result<void> followed = trace_->follow(options.pids); !followed) return followed;
    if (!events.empty()) {
        auto formats = trace_->enable(events);
        if (!formats) return formats.error();
        for (const EventFormat& format : *formats) translator_.add_event(format);
    }
    if (Result<void> hooked = hook_functions(tracefs, options.uprobes); !hooked) return hooked;
    for (const int cpu : trace_->cpus()) {
        auto fd = trace_->open_cpu(cpu);
        if (!fd) return fd.error();
        stream_.add(CpuReader(cpu, read_descriptor(std::move(*fd)), trace_->page_bytes()));
    }
    return trace_->set_running(true);
}

Result<void> LinuxSource::hook_functions(const std::string& tracefs, const std::vector<std::string>& typed) {
    if (typed.empty()) return {};
    auto set = UprobeSet::create(tracefs, typed);
    if (!set) return set.error();
    uprobes_ = std::move(*set);
    for (const ProbeLine& line : uprobes_->lines()) {
        auto format = trace_->enable({{uprobes_->group(), line.event, "", true}});
        if (!format) return format.error();
        translator_.add_function(format->front(), line.lane, line.edge);
    }
    return {};
}

LinuxSource::Step LinuxSource::step(std::uint64_t now) {
    const bool settles = now >= next_settle_;
    const std::vector<CpuLosses> told = settles ? losses() : std::vector<CpuLosses>{};
    const std::uint64_t before = translator_.events();
    // Little by little: what was read is taken while it is still in the processor's nearest cache.
    const auto reach = settles || stopped_ ? TraceStream::Reach::kToTheEnd : TraceStream::Reach::kWhatCanBeTaken;
    TraceStream::Filled filled;
    for (std::size_t round = 0; round < kRoundsPerStep; round++) {
        filled = stream_.fill(now, std::max<std::size_t>(kBytesPerRound / trace_->page_bytes(), 1), reach);
        stream_.take(stopped_ ? now : filled.bound, [this](int cpu, const TraceItem& item) { translator_.take(cpu, item); });
        if (!filled.pressed) break;
    }
    if (settles) settle(now, told, filled);
    return {translator_.events() - before, filled.bound, filled.pressed};
}

// Only when nothing was overrun while we read: then every loss so far has been met in a page.
void LinuxSource::settle(std::uint64_t now, const std::vector<CpuLosses>& told, const TraceStream::Filled& filled) {
    next_settle_ = now + kTicksToNextTry;
    if (!filled.drained || told != losses()) return;
    next_settle_ = now + kTicksBetweenSettling;
    for (std::size_t i = 0; i < told.size(); i++) {
        const CpuReader& cpu = stream_.cpus()[i];
        const std::uint64_t all = told[i].overrun + told[i].commit_overrun + told[i].dropped;
        translator_.settle(cpu.cpu(), all - std::min(all, cpu.lost_told()), filled.bound);
    }
}

// The kernel remembers the names of the last threads it traced.
std::string LinuxSource::name_of(std::int32_t tid) const {
    const std::string name = name_from_proc(tid);
    if (!name.empty()) return name;
    const auto saved = read_control(tracefs_ + "/saved_cmdlines");
    std::istringstream lines(saved ? *saved : "");
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        if (space != std::string::npos && std::strtol(line.c_str(), nullptr, 10) == tid) return line.substr(space + 1);
    }
    return "";
}

std::vector<CpuLosses> LinuxSource::losses() const {
    std::vector<CpuLosses> losses;
    for (const CpuReader& cpu : stream_.cpus()) losses.push_back(trace_->losses(cpu.cpu()));
    return losses;
}

void LinuxSource::stop() {
    (void)trace_->set_running(false);
    stopped_ = true;
    next_settle_ = 0;
}

}  // namespace sla::source
