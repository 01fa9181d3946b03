// The emulated PC's chips against QEMU's: the same random port accesses to both, and what they read compared. SLA_CHIP_ACCESSES: how
// many of each chip (tests/integration/emu/long.sh chips: a million), SLA_CHIP_SEED: another seed.
#include "emu/machine/machine.h"
#include "emu/machine/virtual_clock.h"
#include "tests/integration/chips/sequences.h"
#include "tests/support/temporary_path.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

namespace sla::chips {
namespace {

constexpr std::uint64_t kDiskSectors = 8192;

class EmptyDisk final : public device::Disk {
public:
    [[nodiscard]] std::uint64_t sectors() const override { return kDiskSectors; }
    bool read(std::uint64_t, device::Sector to) override {
        std::fill(to.begin(), to.end(), std::uint8_t{0});
        return true;
    }
    bool write(std::uint64_t, device::ConstSector) override { return true; }
};

struct OurPc {
    OurPc() { pc.attach_disk(0, disk); }
    // Time goes by behind it; what is due happens.
    std::uint8_t access(const Access& access, bus::Nanoseconds settles) {
        pc.pic().access_begins();
        std::uint32_t read = 0;
        if (access.write) {
            pc.ports().write(access.port, bus::Width::kByte, access.value);
        } else {
            read = pc.ports().read(access.port, bus::Width::kByte);
        }
        const bus::Nanoseconds end = clock.now() + settles;
        while (pc.events().next_due() && *pc.events().next_due() <= end) {
            clock.wait_until(*pc.events().next_due());
            pc.events().run_due();
        }
        if (settles != 0) clock.wait_until(end);
        return static_cast<std::uint8_t>(read);
    }

    EmptyDisk disk;
    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
};

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string text_of(std::span<const Access> accesses) {
    std::string out;
    for (const Access& access : accesses) {
        out += access.write ? fmt::format(" {:x}<-{:02x}", access.port, access.value) : fmt::format(" {:x}?", access.port);
    }
    return out;
}

struct Difference {
    std::uint64_t count = 0;
    std::string example;
};

class ChipTest : public testing::TestWithParam<std::string_view> {
protected:
    // One sequence to both, from a state that both know. False: they no longer agree, and begin anew.
    bool agree_on(const Chip& chip, Random& random) {
        constexpr std::size_t kAccesses = 100;
        std::vector<Access> sequence = chip.begin();
        const std::size_t first = sequence.size();
        while (sequence.size() < first + kAccesses) chip.next(random, sequence);
        const auto theirs = qemu->run(sequence);
        if (!theirs) {
            ADD_FAILURE() << "QEMU went away at" << text_of(sequence);
            return false;
        }
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const std::uint8_t read = ours->access(sequence[i], chip.settles);
            const auto different = static_cast<std::uint8_t>((read ^ (*theirs)[i]) & sequence[i].compared);
            if (i >= first && !sequence[i].write && sequence[i].compared != 0) ++compared;
            if (i < first || sequence[i].write || different == 0) continue;
            const std::size_t from = i < 24 ? 0 : i - 24;
            const std::string text = text_of(std::span(sequence).subspan(from, i + 1 - from));
            auto& found = differences[fmt::format("{:x}h bits {:02x}", sequence[i].port, different)];
            if (found.count++ == 0)
                found.example = fmt::format("ours {:02x}, QEMU's {:02x} behind{}", read, (*theirs)[i], text);
            return false;
        }
        return true;
    }

    void restart() {
        qemu = std::make_unique<QtestPc>(image);
        ours = std::make_unique<OurPc>();
    }

    support::TemporaryPath directory{"chips"};
    std::string image;
    std::unique_ptr<QtestPc> qemu;
    std::unique_ptr<OurPc> ours;
    std::map<std::string, Difference> differences;
    std::uint64_t compared = 0;
};

TEST_P(ChipTest, ReadsAsQemusDoes) {
    if (!QtestPc::installed()) GTEST_SKIP() << "Debian's package qemu-system-x86 is not installed";
    image = directory.path.string();
    std::ofstream(image).seekp(static_cast<std::streamoff>(kDiskSectors * 512 - 1)).put('\0');
    const auto chip = std::find_if(chips().begin(), chips().end(), [&](const Chip& one) { return one.name == GetParam(); });
    Random random(from_environment("SLA_CHIP_SEED", 1) + std::hash<std::string_view>()(chip->name));
    restart();
    std::uint64_t restarts = 0;
    const std::uint64_t wanted = from_environment("SLA_CHIP_ACCESSES", 20'000);
    for (std::uint64_t done = 0; done < wanted && !HasFailure() && restarts < 30; done += 100) {
        if (agree_on(*chip, random)) continue;
        ++restarts;
        restart();
    }
    std::cout << chip->name << ": " << compared << " reads compared, " << restarts << " differ\n";
    std::string unknown;
    for (const auto& [what, difference] : differences) {
        unknown += fmt::format("{} ({} times): {}\n", what, difference.count, difference.example);
    }
    EXPECT_EQ(unknown, "");
}

std::vector<std::string_view> chip_names() {
    std::vector<std::string_view> names;
    for (const Chip& chip : chips()) names.push_back(chip.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipTest, testing::ValuesIn(chip_names()),
                         [](const auto& given) { return std::string(given.param); });

}  // namespace
}  // namespace sla::chips
