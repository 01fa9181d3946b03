// What the emulated PC costs: instructions, port accesses and interrupts a second on each CPU, and a boot of SeaBIOS, with
// no channel selected, with those that `sla-emu run` selects by itself, and with all; an agent drains live meanwhile. Times
// are of the machine's thread, the least of five rounds in which the selections take turns.
//
// Then what is there and not used, against the same without: the whole of what sla-emu puts around a run (history off, no trigger, the
// control socket open and nobody there), the Pentium's counters once used and off again; and the CPU x86emu against its bare library.
//
// Last the program itself by both clocks, CPU unicorn: a port of a latch, and ports of chips that work.
//
//   emu_bench [unicorn] [x86emu] [kvm] [work] [ports] [ticks] [boot] [idle] [counters] [library] [program]
//                                                                                    default: every CPU, every measure
#include "emu/control/control_server.h"
#include "emu/history/known_ground.h"
#include "emu/machine/host_clock.h"
#include "emu/machine/screen.h"
#include "emu/machine/typed_text.h"
#include "emu/machine/typist.h"
#include "emu/machine/virtual_clock.h"
#include "emu/run_options.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/selection.h"
#include "emu/vmm/vmm.h"
#include "tests/bench/emu/bare_x86emu.h"
#include "tests/bench/emu/program_bench.h"
#include "tests/bench/percentiles.h"

#include <sla/marker.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>

namespace {

using namespace sla;

constexpr int kRounds = 5;
constexpr double kMillion = 1e6;
constexpr int kCloseRounds = 9;  // where a hundredth counts
constexpr std::size_t kRoundsAt = 0xFE0;
constexpr std::size_t kCountersAt = 0xFE4;
constexpr std::size_t kPortAt = 0xFE4;
constexpr std::size_t kIsOutAt = 0xFE6;
constexpr const char* kFirmware = "/usr/share/seabios/bios.bin";
constexpr const char* kVideoBios = "/usr/share/seabios/vgabios-isavga.bin";

struct Hooks {
    const char* name;
    std::string selection;
    bool in_program = false;  // with all that sla-emu puts around a run
};
const std::array<Hooks, 3> kHooks{{{"off", "none"}, {"default", emu::RunOptions{}.hook}, {"all", "*"}}};
const Hooks kInProgram{"in sla-emu", "none", true};

using bench::Image;

Image read_image(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Image guest(const char* name, std::uint32_t rounds, bool with_counters = false) {
    Image image = read_image(std::string(SLA_GUEST_DIR "/") + name + ".bin");
    SLA_CHECK(image.size() == 4096);
    std::memcpy(image.data() + kRoundsAt, &rounds, sizeof rounds);
    if (with_counters) image[kCountersAt] = 1;
    return image;
}

Image device_guest(std::uint16_t port, bool out, std::uint32_t rounds) {
    Image image = guest("device_port", rounds);
    std::memcpy(image.data() + kPortAt, &port, sizeof port);
    image[kIsOutAt] = out ? 1 : 0;
    return image;
}

double thread_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Counts what goes by, in a run of its own that is not timed: events come by here, and not by their short way.
class CountingSink final : public tap::Sink {
public:
    explicit CountingSink(tap::Sink& behind) : behind_(behind) {}
    tap::ChannelId open(const std::string& name, const char* format) override { return behind_.open(name, format); }
    [[nodiscard]] bool listens(tap::ChannelId channel) const override { return behind_.listens(channel); }
    void plain(tap::ChannelId channel, sla_code code, std::uint64_t value) override {
        ++events;
        behind_.plain(channel, code, value);
    }
    void wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t a, std::uint64_t b) override {
        ++events;
        behind_.wide(channel, code, value, a, b);
    }
    void text(tap::ChannelId channel, const std::string& text) override {
        ++events;
        behind_.text(channel, text);
    }
    std::uint64_t events = 0;

private:
    tap::Sink& behind_;
};

struct Run {
    double seconds = std::numeric_limits<double>::infinity();
    std::uint64_t events = 0;
    vmm::Ending ending = vmm::Ending::kFailed;
    std::string message;
};

// One run of a firmware image; one that shows `until` on its screen is stopped there.
Run run_once(const char* cpu, const Image& image, const Hooks& hooks, const std::string& until, bool counts = false) {
    const bool by_host = std::string_view(cpu) == "kvm";
    machine::StopSignal stop;
    machine::VirtualClock virtual_clock;
    machine::HostClock host_clock(stop);
    machine::Machine pc(by_host ? static_cast<bus::Clock&>(host_clock) : virtual_clock);
    SLA_CHECK(pc.memory().load_rom(image).ok());
    pc.fw_cfg().add_file("etc/boot-fail-wait", {0xFF, 0xFF, 0xFF, 0xFF});
    pc.fw_cfg().add_file("vgaroms/vgabios-isavga.bin", read_image(kVideoBios));
    machine::Screen screen(pc.vga(), pc.memory());
    machine::Typist typist(pc.events(), pc.keyboard(),
                           {[&](const std::string& wanted) { return screen.shows(wanted); }, [&] { stop.request(); }});
    if (!until.empty()) typist.type(machine::parse_typed_text("\\{see " + until + "}\\{stop}").value());
    tap::MarkerSink markers;
    CountingSink counted(markers);
    tap::Sink& end = counts ? static_cast<tap::Sink&>(counted) : markers;
    history::KnownGround ground(end);
    tap::SelectingSink sink(hooks.in_program ? static_cast<tap::Sink&>(ground) : end,
                            tap::Selection::parse(hooks.selection).value());
    const bus::Clock& clock = by_host ? static_cast<const bus::Clock&>(host_clock) : virtual_clock;
    control::EventStop events(sink, clock);
    tap::Tap tap(hooks.in_program ? static_cast<tap::Sink&>(events) : sink);
    vmm::Vmm vmm(pc, tap, stop);
    control::Console console(pc, vmm, &events);
    control::Operators operators(stop);
    std::unique_ptr<control::ControlServer> server;
    if (hooks.in_program) {
        auto opened = control::ControlServer::open("/tmp/sla-emu-bench-" + std::to_string(::getpid()), stop, console);
        SLA_CHECK(opened.ok());
        server = std::move(*opened);
        operators.add(*server);
        vmm.attend_with([&operators] { operators.attend(); });
    }
    Run run;
    if (auto plugged = vmm.plug_cpu(cpu); !plugged) {
        run.message = plugged.error().message;
        return run;
    }
    const double begin = thread_seconds();
    const vmm::Outcome outcome = vmm.run(bus::Nanoseconds{60'000'000'000});
    run = {thread_seconds() - begin, counted.events, outcome.ending, outcome.message};
    return run;
}

using Results = std::array<Run, kHooks.size()>;

void keep_best(Run& best, const Run& run, vmm::Ending wanted, const char* cpu, const Hooks& hooks) {
    if (run.ending != wanted) std::printf("  (%s, hooks %s: %s)\n", cpu, hooks.name, run.message.c_str());
    if (run.ending == wanted && run.seconds < best.seconds) best = run;
}

Results measure(const char* cpu, const Image& image, vmm::Ending wanted, const std::string& until = {}) {
    Results best;
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < kHooks.size(); ++i) {
            keep_best(best[i], run_once(cpu, image, kHooks[i], until), wanted, cpu, kHooks[i]);
        }
    }
    best.back().events = run_once(cpu, image, kHooks.back(), until, true).events;
    return best;
}

// Two that should cost the same, by turns.
void print_ratio(const char* cpu, const char* what, double without, double with) {
    std::printf("%-8s %-42s %8.3f %8.3f s %7.3f\n", cpu, what, without, with, with / without);
    std::fflush(stdout);
}

struct Side {
    Image image;
    Hooks hooks;
};

void compare(const char* cpu, const char* what, const Side& without, const Side& with) {
    Run best[2];
    for (int round = 0; round < kCloseRounds; ++round) {
        keep_best(best[0], run_once(cpu, without.image, without.hooks, {}), vmm::Ending::kExit, cpu, without.hooks);
        keep_best(best[1], run_once(cpu, with.image, with.hooks, {}), vmm::Ending::kExit, cpu, with.hooks);
    }
    print_ratio(cpu, what, best[0].seconds, best[1].seconds);
}

void compare_with_library(const Image& image) {
    double library = std::numeric_limits<double>::infinity();
    Run ours;
    for (int round = 0; round < kRounds; ++round) {
        const double begin = thread_seconds();
        if (!bench::run_on_bare_x86emu(image)) return;
        library = std::min(library, thread_seconds() - begin);
        keep_best(ours, run_once("x86emu", image, kHooks[0], {}), vmm::Ending::kExit, "x86emu", kHooks[0]);
    }
    print_ratio("x86emu", "instructions, against the bare library", library, ours.seconds);
}

void print(const char* cpu, const char* what, const char* unit, const Results& results,
           const std::function<double(const Run&)>& figure) {
    std::printf("%-8s %-28s", cpu, what);
    for (const Run& run : results) std::printf(" %10.3f", figure(run));
    std::printf(" %-5s %7.2f %7.2f   %llu events\n", unit, results[1].seconds / results[0].seconds,
                results[2].seconds / results[0].seconds, static_cast<unsigned long long>(results[2].events));
    std::fflush(stdout);
}

void bench_boot(const char* cpu) {
    const Image firmware = read_image(kFirmware);
    if (firmware.empty()) {
        std::printf("  (Debian's package seabios is not installed: no boot)\n");
        return;
    }
    print(cpu, "SeaBIOS to \"No bootable\"", "s", measure(cpu, firmware, vmm::Ending::kStopped, "No bootable"),
          [](const Run& run) { return run.seconds; });
}

void bench_programs() {
    constexpr std::uint32_t kStorm = 20'000'000;
    constexpr std::uint32_t kChips = 3'000'000;
    bench::bench_program({"sla-emu: OUT to port 80h", kStorm, guest("ports", kStorm)});
    bench::bench_program({"IN of 40h, the timer", kChips, device_guest(0x40, false, kChips)});
    bench::bench_program({"IN of 64h, the keyboard", kChips, device_guest(0x64, false, kChips)});
    bench::bench_program({"IN of 3DAh, the screen", kChips, device_guest(0x3DA, false, kChips)});
    bench::bench_program({"OUT to 3F8h, a serial line", kChips, device_guest(0x3F8, true, kChips)});
}

void bench_one(const char* cpu, std::string_view measured) {
    const bool fast = std::string_view(cpu) == "unicorn";
    const auto per_second = [](double count) { return [count](const Run& run) { return count / run.seconds / kMillion; }; };
    const auto run_guest = [&](const char* what, const char* name, std::uint32_t rounds, double counted) {
        print(cpu, what, "M/s", measure(cpu, guest(name, rounds), vmm::Ending::kExit), per_second(counted));
    };
    const std::uint32_t work = fast ? 2'000'000 : 500'000;
    const std::uint32_t ports = fast ? 1'000'000 : 100'000;
    const std::uint32_t ticks = std::string_view(cpu) == "kvm" ? 2'000 : 20'000;
    if (measured == "work") run_guest("instructions", "work", work, 8.0 * work);
    if (measured == "ports") run_guest("OUT to port 80h", "ports", ports, ports);
    if (measured == "ticks") run_guest("interrupts, HLT, EOI, IRET", "ticks", ticks, ticks);
    if (measured == "boot") bench_boot(cpu);
    if (measured == "idle") {
        compare(cpu, "in sla-emu, nobody asks: instructions", {guest("work", work), kHooks[0]},
                {guest("work", work), kInProgram});
        compare(cpu, "in sla-emu, nobody asks: OUT to port 80h", {guest("ports", ports), kHooks[0]},
                {guest("ports", ports), kInProgram});
    }
    if (measured == "counters") {
        compare(cpu, "counters used and off again: instructions", {guest("counters_off", work), kHooks[0]},
                {guest("counters_off", work, true), kHooks[0]});
    }
    if (measured == "program" && fast) bench_programs();
    if (measured == "library" && std::string_view(cpu) == "x86emu") compare_with_library(guest("work", work));
}

// Those of the names that the command line has; all, if it has none of them.
std::vector<const char*> chosen(const std::vector<const char*>& names, int argc, char** argv) {
    std::vector<const char*> out;
    std::copy_if(names.begin(), names.end(), std::back_inserter(out),
                 [&](std::string_view name) { return std::find(argv + 1, argv + argc, name) != argv + argc; });
    return out.empty() ? names : out;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<const char*> every_cpu{"unicorn", "x86emu", "kvm"};
    const std::vector<const char*> every_measure{"work", "ports", "ticks", "boot", "idle", "counters", "library", "program"};
    const std::vector<const char*> cpus = chosen(every_cpu, argc, argv);
    const std::vector<const char*> measures = chosen(every_measure, argc, argv);
    const auto is_in = [](const std::vector<const char*>& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (int i = 1; i < argc; ++i) {
        if (is_in(every_cpu, argv[i]) || is_in(every_measure, argv[i])) continue;
        std::fprintf(stderr,
                     "emu_bench: there is no '%s'; there are unicorn, x86emu, kvm, work, ports, ticks, boot, idle, "
                     "counters, library, program\n",
                     argv[i]);
        return 2;
    }
    std::printf("machine: %s\n", sla::bench::machine().c_str());
    if (!sla::bench::pin_to(0)) std::printf("(not pinned to a core: not allowed here)\n");
    const sla::bench::BenchAgent agent(SLA_BINARIES, {"--no-config"});
    if (!sla_attach()) {
        std::fprintf(stderr, "emu_bench: no agent\n");
        return 3;
    }
    usleep(300'000);
    std::printf("\n%-8s %-28s %10s %10s %10s %-5s %7s %7s\n", "CPU", "hooks:", "off", "default", "all", "", "def/off",
                "all/off");
    for (const char* cpu : cpus) {
        for (const char* measured : measures) bench_one(cpu, measured);
    }
    return 0;
}
