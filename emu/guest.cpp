#include "emu/guest.h"

#include "emu/files.h"
#include "emu/guest/com_guest.h"
#include "emu/guest/demo_guest.h"
#include "emu/guest/multiboot_guest.h"
#include "emu/image_kind.h"
#include "emu/machine/multiboot.h"
#include "emu/screen_file.h"
#include "proto/base/text.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::emu {

namespace {

constexpr std::size_t kMaxVideoBiosBytes = 64U << 10;
constexpr std::size_t kMaxKernelBytes = 64U << 20;
constexpr std::size_t kMaxItemBytes = 16U << 20;
constexpr const char* kFirmware = "the firmware image";
constexpr const char* kProgram = "the program";
constexpr const char* kVideoBios = "vgabios-isavga.bin";  // in Debian's seabios, and where SeaBIOS looks for one

// One line, and another one for each other text.
std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || c == '\\') {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    return out + '"';
}

}  // namespace

Guest::Guest(const RunOptions& options, machine::Machine& pc, machine::StopSignal& stop)
    : options_(options), pc_(pc), stop_(stop), screen_(pc.vga(), pc.memory()) {}

Result<void> Guest::load() {
    if (auto done = load_firmware(); !done) return done;
    if (auto done = load_items(); !done) return done;
    return load_media();
}

Result<void> Guest::load_firmware() {
    if (!options_.append.empty() && options_.kernel.empty() && options_.com.empty())
        return invalid_input("--append is for --kernel and --com");
    if (options_.demo) {
        name_ = "the demonstration guest";
        return pc_.memory().load_rom(guest::demo_guest(options_.demo_ticks));
    }
    if (!options_.kernel.empty()) return load_kernel();
    if (!options_.com.empty()) return load_program();
    const std::string named = options_.image.empty() ? options_.bios : options_.image;
    const std::string firmware = named.empty() ? find_firmware() : named;
    if (firmware.empty()) {
        return unavailable("there is no firmware to start the disks with: install Debian's package seabios, or name one");
    }
    name_ = firmware;
    constexpr std::size_t kMost = bus::Memory::kMaxRomBytes;
    auto image = read_beginning(kFirmware, firmware, kMost + 1);
    if (!image) return image.error();
    if (options_.bios.empty()) {
        if (auto plausible = check_firmware(firmware, *image); !plausible) return plausible;
    }
    if (auto fits = check_length(kFirmware, firmware, image->size(), kMost, "is it a disk image? Then say --hda or --fda");
        !fits) {
        return fits;
    }
    if (auto loaded = pc_.memory().load_rom(*image); !loaded) return loaded.error();
    return load_video_bios(firmware);
}

Result<void> Guest::load_kernel() {
    name_ = options_.kernel;
    auto file = read_file("the kernel", options_.kernel, kMaxKernelBytes, "that is more than it may have");
    if (!file) return file.error();
    if (auto plausible = check_kernel(options_.kernel, *file); !plausible) return plausible;
    kernel_ = snapshot::summary_of(*file);
    command_line_ = in_quotes(options_.append);
    auto kernel = machine::load_multiboot(pc_.memory(), *file, options_.kernel, options_.append);
    if (!kernel) return kernel.error();
    return pc_.memory().load_rom(guest::multiboot_guest(kernel->entry, kernel->information));
}

Result<void> Guest::load_program() {
    name_ = options_.com;
    constexpr std::size_t kMost = guest::kMaxComBytes;
    const std::string tail = options_.append.empty() ? "" : " " + options_.append;
    if (tail.size() > guest::kMaxComTail) {
        return invalid_input(fmt::format("--append has {} characters; a .COM program takes {}", options_.append.size(),
                                         guest::kMaxComTail - 1));
    }
    auto program = read_beginning(kProgram, options_.com, kMost + 1);
    if (!program) return program.error();
    if (auto plausible = check_program(options_.com, *program); !plausible) return plausible;
    if (auto fits = check_length(kProgram, options_.com, program->size(), kMost, "a .COM program fits into 64 KB"); !fits)
        return fits;
    program_ = snapshot::summary_of(*program);
    command_line_ = in_quotes(options_.append);
    const auto bytes = guest::com_memory(*program, tail);
    const auto to = pc_.memory().at(guest::kComBase, bytes.size());
    std::copy(bytes.begin(), bytes.end(), to.begin());
    return pc_.memory().load_rom(guest::com_guest());
}

Result<void> Guest::load_video_bios(const std::string& firmware) {
    const std::string path = options_.video_bios.empty() ? beside(firmware, kVideoBios) : options_.video_bios;
    if (path.empty() || path == "none") return {};
    auto bytes = read_file("the video BIOS", path, kMaxVideoBiosBytes, "that much does not fit below C0000h + 64 KB");
    if (!bytes) return bytes.error();
    pc_.fw_cfg().add_file(fmt::format("vgaroms/{}", kVideoBios), std::move(*bytes));
    return {};
}

// What firmware reads through fw_cfg. Unless set otherwise it waits for ever when nothing boots, instead of starting again.
Result<void> Guest::load_items() {
    constexpr std::string_view kNumber = "u32:";
    const auto number = [](std::uint32_t value) {
        return std::vector<std::uint8_t>{static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
                                         static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
    };
    constexpr std::size_t kOwn = 2;  // the one below, the video BIOS
    constexpr std::size_t kMost = device::FwCfg::kMaxFiles - kOwn;
    if (options_.items.size() > kMost)
        return invalid_input(fmt::format("--fw: {} of them; firmware reads at most {}", options_.items.size(), kMost));
    pc_.fw_cfg().add_file("etc/boot-fail-wait", number(0xFFFFFFFF));
    for (const std::string& item : options_.items) {
        const std::size_t equals = item.find('=');
        const std::string name = item.substr(0, equals);
        if (equals == std::string::npos || name.empty() || name.size() > device::FwCfg::kMaxFileName) {
            return invalid_input(
                fmt::format("--fw {}: write NAME=FILE or NAME=u32:NUMBER, with a name of 1 to {} characters", item,
                            device::FwCfg::kMaxFileName));
        }
        const std::string value = item.substr(equals + 1);
        if (value.starts_with(kNumber)) {
            const auto parsed = whole_number<std::uint32_t>(std::string_view(value).substr(kNumber.size()));
            if (!parsed) return invalid_input(fmt::format("--fw {}: that is no 32-bit number", item));
            pc_.fw_cfg().add_file(name, number(*parsed));
            continue;
        }
        auto bytes = read_file("the firmware's file", value, kMaxItemBytes, "that is more than firmware takes");
        if (!bytes) return bytes.error();
        pc_.fw_cfg().add_file(name, std::move(*bytes));
    }
    return {};
}

Result<void> Guest::load_media() {
    using machine::ImageFile;
    const auto writes = options_.keep_writes ? ImageFile::Writes::kToFile : ImageFile::Writes::kForgotten;
    for (std::size_t unit = 0; unit < options_.floppies.size(); ++unit) {
        if (options_.floppies[unit].empty()) continue;
        auto image = ImageFile::open(options_.floppies[unit], writes);
        if (!image) return image.error();
        if (!device::floppy_geometry((*image)->sectors())) {
            return invalid_input(
                fmt::format("{} has {} sectors, which no floppy disk has; a 1.44 MB disk has 2880 "
                            "(`truncate -s 1440K {}` makes it as long)",
                            options_.floppies[unit], (*image)->sectors(), options_.floppies[unit]));
        }
        pc_.insert_floppy(static_cast<unsigned>(unit), **image);
        media_.push_back({fmt::format("floppy{}", unit), std::move(*image)});
    }
    for (std::size_t unit = 0; unit < options_.disks.size(); ++unit) {
        if (options_.disks[unit].empty()) continue;
        auto image = ImageFile::open(options_.disks[unit], writes);
        if (!image) return image.error();
        pc_.attach_disk(static_cast<unsigned>(unit), **image);
        media_.push_back({fmt::format("disk{}", unit), std::move(*image)});
    }
    return {};
}

void Guest::join(snapshot::Subject& subject) {
    const auto& regions = pc_.memory().regions();
    subject.describe("memory", fmt::format("{} MB", options_.memory_megabytes));
    subject.describe_newer("kernel", kernel_);
    subject.describe_newer("program", program_);
    subject.describe_newer("command line", command_line_);
    subject.describe("firmware", snapshot::summary_of(regions.back().bytes));
    std::vector<std::uint8_t> items;
    for (const auto& [key, bytes] : pc_.fw_cfg().items()) items.insert(items.end(), bytes.begin(), bytes.end());
    subject.describe("firmware's files", snapshot::summary_of(items));
    subject.describe("test device", options_.test_device ? "yes" : "no");
    for (const char* drive : {"floppy0", "floppy1", "disk0", "disk1"}) {
        const auto found = std::find_if(media_.begin(), media_.end(), [&](const Medium& m) { return m.drive == drive; });
        if (found == media_.end()) {
            subject.describe(drive, "none");
            continue;
        }
        if (found->image->writes_to_file()) {
            subject.cannot("with --keep-writes the images change, and a snapshot would soon not fit them: leave it out");
            continue;
        }
        subject.describe_later(drive, [&image = *found->image]() -> Result<std::string> {
            const auto checksum = image.checksum();
            if (!checksum) return checksum.error();
            return snapshot::summary_of(image.sectors() * device::kSectorBytes, *checksum);
        });
    }
    subject.add([this](bus::StateVisitor& state) { visit_state(state); });
}

// Text that is typed goes on if it is the same; other text begins.
void Guest::visit_state(bus::StateVisitor& state) {
    for (const Medium& medium : media_) {
        state.section(medium.drive);
        medium.image->visit_state(state);
    }
    if (typist_) {
        if (state.optional_section("typing " + typed_)) {
            typist_->visit_state(state);
        } else {
            typist_->wake();
        }
    }
    if (!terminal_) return;
    if (state.optional_section("terminal")) {
        pc_.events().visit_timer(state, terminal_timer_);
    } else {
        pc_.events().arm(terminal_timer_, pc_.events().now());
    }
}

Result<void> Guest::finish() {
    if (typist_ && !typist_->done()) spdlog::warn("the run ended before all of the text was typed");
    if (terminal_ && terminal_->dropped() != 0) {
        spdlog::warn("{} bytes of com1 found no reader at {}", terminal_->dropped(), terminal_->path());
    }
    if (!options_.pictures.empty() && screen_.is_graphics()) {
        spdlog::warn("the guest's screen is in a graphics mode, which is not drawn: {} has what stands in its text memory",
                     options_.pictures.front());
    }
    Result<void> done = check_texts();
    for (const std::string& path : options_.pictures) {
        if (auto written = write_screen(screen_, path); !written && done) done = written;
    }
    return done;
}

}  // namespace sla::emu
