// A snapshot from anybody: the file is refused or is whole, in bounded memory; and whatever the fields of a machine's state
// are set to, chips, disks and screen stay in bounds afterwards.
//
// The first byte chooses: even, the rest is a file whose checksums are made right where its parts can be found; odd,
// the rest are changes to a real machine's state, five bytes each: section, place (three bytes), new value.
#include "emu/machine/machine.h"
#include "emu/machine/screen.h"
#include "emu/machine/virtual_clock.h"
#include "emu/snapshot/snapshot_file.h"
#include "emu/snapshot/state_reader.h"
#include "proto/base/check.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace {

using namespace sla;

constexpr std::size_t kRam = std::size_t{2} << 20;

class StrictDisk final : public device::Disk {
public:
    explicit StrictDisk(std::uint64_t sectors) : sectors_(sectors) {}
    [[nodiscard]] std::uint64_t sectors() const override { return sectors_; }
    bool read(std::uint64_t number, device::Sector) override {
        SLA_CHECK(number < sectors_);
        return true;
    }
    bool write(std::uint64_t number, device::ConstSector) override {
        SLA_CHECK(number < sectors_);
        return true;
    }

private:
    std::uint64_t sectors_;
};

struct Pc {
    Pc() {
        pc.attach_disk(0, disk);
        pc.insert_floppy(0, floppy);
        pc.fw_cfg().add_file("etc/fuzzed", {1, 2, 3});
    }
    void use() {
        constexpr int kSteps = 6;
        constexpr std::uint32_t kPorts = 0x400;
        for (int step = 0; step < kSteps; ++step) {
            for (std::uint32_t port = 0; port < kPorts; ++port) {
                const auto at = static_cast<std::uint16_t>(port);
                if (pc.ports().device_of(at) == 0 || at == device::ExitPort::kPort) continue;
                pc.ports().read(at, bus::Width::kByte);
                if (step % 3 == 2) pc.ports().write(at, bus::Width::kByte, port * 7U % 256U);
            }
            pc.mmio().read(device::Lapic::kBase + 0x390, bus::Width::kDword);
            if (pc.interrupt()) pc.acknowledge();
            clock.set(clock.now() + 3'000'000);
            pc.events().run_due();
        }
        [[maybe_unused]] const auto text = machine::Screen(pc.vga(), pc.memory()).text();
    }

    machine::VirtualClock clock;
    StrictDisk disk{5000};
    StrictDisk floppy{2880};
    machine::Machine pc{clock, kRam};
};

void repair_checksums(std::vector<std::uint8_t>& file) {
    if (file.empty()) return;
    std::memcpy(file.data(), "SLASNAP\n\1\0\0\0", std::min<std::size_t>(file.size(), 12));
    for (std::size_t at = 16; at + 2 <= file.size();) {
        const std::size_t numbers = at + 2 + file[at + 1];
        if (numbers + 24 > file.size()) return;
        std::uint64_t packed = 0;
        std::memcpy(&packed, &file[numbers + 8], sizeof packed);
        if (packed > file.size() - numbers - 24) return;
        const std::uint64_t head = XXH64(&file[at], numbers + 16 - at, 0);
        const std::uint64_t sum = XXH64(file.data() + numbers + 24, static_cast<std::size_t>(packed), head);
        std::memcpy(&file[numbers + 16], &sum, sizeof sum);
        at = numbers + 24 + static_cast<std::size_t>(packed);
    }
}

void load_file(std::span<const std::uint8_t> input) {
    std::vector<std::uint8_t> bytes(input.begin(), input.end());
    repair_checksums(bytes);
    const auto file = snapshot::SnapshotFile::parse(std::move(bytes));
    if (!file) return;
    Pc pc;
    [[maybe_unused]] const auto loaded = file->load([&](bus::StateVisitor& state) { pc.pc.visit_state(state); });
    pc.use();
}

void load_changed(std::span<const std::uint8_t> input) {
    constexpr std::size_t kChangeBytes = 5;
    constexpr std::size_t kMaxChanges = 64;
    snapshot::StateWriter writer;
    Pc fresh;
    fresh.pc.visit_state(writer);
    std::vector<snapshot::Section> sections = writer.sections();
    for (std::size_t i = 0; i < kMaxChanges && input.size() >= kChangeBytes; ++i, input = input.subspan(kChangeBytes)) {
        auto& fields = sections[input[0] % sections.size()].fields;
        const std::size_t place = input[1] | input[2] << 8U | input[3] << 16U;
        if (!fields.empty()) fields[place % fields.size()] = input[4];
    }
    Pc pc;
    snapshot::StateReader reader(sections, [](std::string_view, std::span<std::uint8_t>) { return Result<void>(); });
    pc.pc.visit_state(reader);
    pc.use();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto rest = std::span(data, size).subspan(1);
    if ((data[0] & 1) == 0) {
        load_file(rest);
    } else {
        load_changed(rest);
    }
    return 0;
}
