#include "emu/run_command.h"

#include "emu/guest/demo_guest.h"
#include "emu/machine/host_clock.h"
#include "emu/machine/machine.h"
#include "emu/machine/stop_signal.h"
#include "emu/machine/virtual_clock.h"
#include "emu/tap/marker_sink.h"
#include "emu/tap/tap.h"
#include "emu/vmm/vmm.h"
#include "proto/time/duration.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

namespace sla::emu {

namespace {

constexpr int kOutsideWorldFailed = 3;
constexpr std::int64_t kPicosecondsPerNanosecond = 1000;

machine::StopSignal* stop_on_signal = nullptr;

void on_signal(int) {
    stop_on_signal->request();
}

void install_signals(machine::StopSignal& stop) {
    stop_on_signal = &stop;
    struct sigaction action {};
    action.sa_handler = on_signal;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Result<std::vector<std::uint8_t>> read_image(const std::string& path) {
    std::error_code status;
    if (std::filesystem::is_directory(path, status)) {
        return invalid_input(fmt::format("{} is a directory; give a firmware image", path));
    }
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) return system_error(fmt::format("cannot open the image {}", path), errno);
    // One byte more than may be, so that a longer file is noticed without being read whole.
    std::vector<std::uint8_t> bytes(bus::Memory::kMaxRomBytes + 1);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    if (std::ferror(file.get()) != 0) return system_error(fmt::format("cannot read the image {}", path), errno);
    if (bytes.empty()) return invalid_input(fmt::format("the image {} is empty", path));
    if (bytes.size() > bus::Memory::kMaxRomBytes) {
        return invalid_input(
            fmt::format("the image {} is longer than the {} bytes that a firmware image may have; is it a disk image?", path,
                        bus::Memory::kMaxRomBytes));
    }
    return bytes;
}

// Where the guest's text goes: line by line, so that a reader sees it at once and a storm of bytes stays cheap.
Result<std::shared_ptr<std::FILE>> open_debug_output(const std::string& path) {
    if (path == "-") return std::shared_ptr<std::FILE>(stdout, [](std::FILE* file) { std::fflush(file); });
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return system_error(fmt::format("cannot write the guest's text to {}", path), errno);
    return std::shared_ptr<std::FILE>(file, std::fclose);
}

Result<bus::Nanoseconds> time_limit_of(const RunOptions& options) {
    if (options.time_limit.empty()) return std::numeric_limits<bus::Nanoseconds>::max();
    auto limit = time::parse_duration(options.time_limit);
    if (!limit) return limit.error();
    if (*limit <= 0) return invalid_input(fmt::format("--for {}: a run needs some time", options.time_limit));
    return *limit / kPicosecondsPerNanosecond;
}

std::unique_ptr<bus::Clock> make_clock(const std::string& name, const machine::StopSignal& stop) {
    if (name == "virtual") return std::make_unique<machine::VirtualClock>();
    return std::make_unique<machine::HostClock>(stop);
}

int report(const vmm::Outcome& outcome) {
    const bool failed = outcome.ending == vmm::Ending::kTripleFault || outcome.ending == vmm::Ending::kFailed;
    if (failed) {
        spdlog::error("{}", outcome.message);
        return kOutsideWorldFailed;
    }
    spdlog::info("{}", outcome.message);
    return outcome.ending == vmm::Ending::kExit ? outcome.exit_code : 0;
}

}  // namespace

Result<int> run(const RunOptions& options) {
    auto limit = time_limit_of(options);
    if (!limit) return limit.error();
    auto image = options.demo ? guest::demo_guest(options.demo_ticks) : read_image(options.image);
    if (!image) return image.error();
    auto text = open_debug_output(options.debug_output);
    if (!text) return text.error();

    machine::StopSignal stop;
    install_signals(stop);
    const auto clock = make_clock(options.clock, stop);
    machine::Machine pc(*clock);
    if (auto loaded = pc.memory().load_rom(*image); !loaded) return loaded.error();
    pc.debug_port().on_byte([out = *text](char byte) {
        std::fputc(byte, out.get());
        if (byte == '\n') std::fflush(out.get());
    });

    tap::MarkerSink sink;
    tap::Tap tap(sink);
    vmm::Vmm vmm(pc, tap, stop);
    if (auto plugged = vmm.plug_cpu(options.cpu); !plugged) return plugged.error();
    const std::string guest_name = options.demo ? "the demonstration guest" : options.image;
    spdlog::info("running {} on the CPU \"{}\" by the {} clock", guest_name, options.cpu, options.clock);
    return report(vmm.run(*limit));
}

}  // namespace sla::emu
