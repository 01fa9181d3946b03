#include "emu/run_command.h"

#include "emu/access.h"
#include "emu/control/event_stop.h"
#include "emu/control/unseen.h"
#include "emu/count_file.h"
#include "emu/guest.h"
#include "emu/history/known_ground.h"
#include "emu/hooks.h"
#include "emu/machine/host_clock.h"
#include "emu/machine/machine.h"
#include "emu/machine/paced_clock.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/virtual_clock.h"
#include "emu/past.h"
#include "emu/run_subject.h"
#include "emu/screen_file.h"
#include "emu/tap/hash_sink.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/symbol_sink.h"
#include "emu/tap/tap.h"
#include "emu/vmm/vmm.h"
#include "proto/base/exit_codes.h"
#include "proto/base/text.h"
#include "proto/common/nearest.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <initializer_list>
#include <limits>
#include <memory>

namespace sla::emu {

namespace {

std::atomic<machine::StopSignal*> stop_on_signal = nullptr;

void on_signal(int) {
    if (machine::StopSignal* stop = stop_on_signal.load()) stop->request();
}

// While it is there signals end the run; one that comes later finds nothing more to end.
class EndsOnSignals {
public:
    explicit EndsOnSignals(machine::StopSignal& stop) {
        stop_on_signal = &stop;
        struct sigaction action {};
        action.sa_handler = on_signal;
        for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
        struct sigaction before {};
        ::sigaction(SIGHUP, nullptr, &before);
        if (before.sa_handler != SIG_IGN)
            ::sigaction(SIGHUP, &action, nullptr);  // ignored: it shall go on without its terminal
    }
    ~EndsOnSignals() { stop_on_signal = nullptr; }
    EndsOnSignals(const EndsOnSignals&) = delete;
    EndsOnSignals& operator=(const EndsOnSignals&) = delete;
};

Result<bus::Nanoseconds> time_limit_of(const RunOptions& options) {
    if (options.time_limit.empty()) return std::numeric_limits<bus::Nanoseconds>::max();
    auto limit = time::parse_duration(options.time_limit);
    if (!limit) return limit.error();
    const bus::Nanoseconds whole = *limit / time::kPicosecondsPerNanosecond;
    if (whole <= 0) return invalid_input(fmt::format("--for {}: a run needs a nanosecond or more", options.time_limit));
    return whole;
}

std::unique_ptr<bus::Clock> make_clock(const RunOptions& options, const machine::StopSignal& stop) {
    if (options.clock == "host") return std::make_unique<machine::HostClock>(stop);
    if (options.speed > 0) return std::make_unique<machine::PacedClock>(stop, options.speed);
    return std::make_unique<machine::VirtualClock>();
}

// What the PC's clock shows first: the time of day, or always the same for runs that shall be.
std::int64_t power_on_time(const std::string& clock) {
    return clock == "virtual" ? machine::Machine::kYear2000 : static_cast<std::int64_t>(std::time(nullptr));
}

int report(const vmm::Outcome& outcome) {
    const bool failed = outcome.ending == vmm::Ending::kTripleFault || outcome.ending == vmm::Ending::kFailed;
    if (failed) {
        spdlog::error("{}", outcome.message);
        return exits::kOutsideFailed;
    }
    spdlog::info("{}", outcome.message);
    return outcome.ending == vmm::Ending::kExit ? outcome.exit_code : 0;
}

Result<void> start_sampling(const RunOptions& options, vmm::Vmm& vmm) {
    if (options.sample.empty()) return {};
    const auto wanted = pmc::parse_sample(options.sample);
    if (!wanted) return wanted.error();
    return vmm.sample(*wanted);
}

// Of a rate: which number of events it came to.
void report_sampling(const RunOptions& options, vmm::Vmm& vmm) {
    if (!options.sample.ends_with("/s")) return;
    const std::uint64_t period = vmm.counter_unit().sample_period();
    if (period == 0)
        return spdlog::warn("--sample {}: the run was over before the number of events was found", options.sample);
    spdlog::info("--sample {}: in the end a sample every {} events", options.sample, period);
}

// Channels asked for by name that will stay empty are said to.
void warn_of_unseen(const RunOptions& options, const tap::Selection& selected, const cpu::Cpu& cpu) {
    const auto is_asked_for = [&selected](std::string_view family) { return selected.names(family); };
    for (const std::string& line : control::unseen_channels(cpu, is_asked_for)) {
        spdlog::warn("--hook {}: {}", options.hook, line);
    }
}

// What the run may not have shown: who mistyped a name, or wants what this guest does not do, sees why rows are missing.
void warn_of_doubts(const vmm::Vmm& vmm, const tap::SelectingSink& sink) {
    if (const auto doubts = vmm.cpu().doubts(); !doubts.empty()) spdlog::warn("{}", doubts);
    for (const std::string& pattern : sink.unmatched())
        spdlog::warn("--hook {}: no channel of this run is called so{}", pattern,
                     common::nearest_hint(pattern, sink.all_names()));
}

void print_hash(const tap::HashSink& hashed, const vmm::Vmm& vmm) {
    const std::string length = vmm.cpu().counting() == cpu::Counting::kEverything
                                   ? fmt::format("{} instructions", vmm.cpu().counts()->instructions)
                                   : fmt::format("{} bytes of code", vmm.code_bytes());
    fmt::print("hash {:016x} of {} events in {}\n", hashed.hash(), hashed.events(), length);
}

// Of what happened before nothing is said again.
void let_restart(const RunOptions& options, vmm::Vmm& vmm, const history::KnownGround& ground) {
    if (options.no_reboot || !options.kernel.empty() || !options.com.empty()) return;
    vmm.restart_on_reset([&ground](const std::string& how) {
        if (!ground.known()) spdlog::info("{}; it starts again", how);
    });
}

Result<symbol::Symbols> read_symbols(const RunOptions& options) {
    symbol::Symbols symbols;
    for (const std::string& file : options.symbols) {
        if (auto added = symbols.add_file(file); !added) return added.error();
    }
    return symbols;
}

Result<void> go_on_from(const std::string& file, snapshot::Subject& subject) {
    if (file.empty()) return {};
    const auto loaded = subject.load(file);
    if (!loaded) return loaded.error();
    for (const std::string_view line : split_words(*loaded, "\n")) spdlog::warn("{}: {}", file, line);
    return {};
}

}  // namespace

Result<int> run(const RunOptions& options) {
    auto limit = time_limit_of(options);
    if (!limit) return limit.error();
    if (auto fits = Past::check(options); !fits) return fits.error();
    if (options.clock == "host" && (options.hash || options.speed > 0)) {
        return invalid_input("--hash and --speed are about virtual time; add --clock virtual");
    }
    if (auto apart = check_outputs(options); !apart) return apart.error();
    const auto symbols = read_symbols(options);
    if (!symbols) return symbols.error();
    auto selected = parse_hooks(options.hook);
    if (!selected) return selected.error();
    for (const std::string& path : options.pictures) {
        if (auto checked = check_screen_file(path); !checked) return checked.error();
    }

    machine::StopSignal stop;
    const EndsOnSignals signals(stop);
    const auto clock = make_clock(options, stop);
    machine::Machine pc(*clock, std::size_t{options.memory_megabytes} << 20, power_on_time(options.clock));
    pc.vary(options.jitter);
    if (options.test_device) pc.add_test_device();
    Guest guest(options, pc, stop);
    if (auto loaded = guest.load(); !loaded) return loaded.error();
    if (auto connected = guest.connect(); !connected) return connected.error();

    tap::MarkerSink markers(clock->repeatable() ? clock.get() : nullptr);
    history::KnownGround ground(markers);
    tap::HashSink hashed(ground, *clock);
    tap::SelectingSink sink(options.hash ? static_cast<tap::Sink&>(hashed) : ground, *selected);
    auto count = CountFile::prepare(options, sink);
    if (!count) return count.error();
    control::EventStop events(count->sink(), *clock);
    tap::SymbolSink named(events, *symbols);
    tap::Tap tap(symbols->empty() ? static_cast<tap::Sink&>(events) : named);
    vmm::Vmm vmm(pc, tap, stop);
    if (auto plugged = vmm.plug_cpu(options.cpu); !plugged) return plugged.error();
    if (auto sampled = start_sampling(options, vmm); !sampled) return sampled.error();
    if (auto counting = count->begin(vmm); !counting) return counting.error();
    let_restart(options, vmm, ground);
    snapshot::Subject subject;
    put_together(subject, {vmm, guest, hashed, markers, named, *count}, options);
    Access access(pc, vmm, events, *symbols, subject, stop);
    if (auto opened = access.open(options); !opened) return opened.error();
    spdlog::info("running {} on the CPU \"{}\" by the {} clock", guest.name(), options.cpu, options.clock);
    if (!vmm.cpu().limits().empty()) spdlog::info("`sla-emu cpus` lists what the CPU \"{}\" does not do", options.cpu);
    warn_of_unseen(options, *selected, vmm.cpu());
    if (auto loaded = go_on_from(options.load, subject); !loaded) return loaded.error();
    Past past({vmm, subject, ground, sink, markers, guest}, options);
    access.go_back_by(past.history(), past.why_not());
    const int code = report(vmm.run(*limit));
    access.finish(code);
    warn_of_doubts(vmm, sink);
    report_sampling(options, vmm);
    if (options.hash) print_hash(hashed, vmm);
    const auto written = count->write(vmm);
    if (auto finished = guest.finish(); !finished && written) return finished.error();
    return written ? Result<int>(code) : written.error();
}

}  // namespace sla::emu
