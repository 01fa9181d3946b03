// What takes long in full: a short form of it is a test like any other, long.sh runs the full one (SLA_EMU_LONG=1).
#include "tests/integration/emu/guests.h"
#include "viewer/ingest/open.h"
#include "viewer/store/session.h"

#include <gmock/gmock.h>

#include <cstring>
#include <iostream>

namespace sla {
namespace {

using testing::HasSubstr;

bool in_full() {
    return std::getenv("SLA_EMU_LONG") != nullptr;
}

class Repeats : public Software, public testing::WithParamInterface<const char*> {
protected:
    // "hash H of N events in L ..."; everything of it must be equal.
    std::string hash_of_run(const std::string& image) {
        std::vector<std::string> command{
            SLA_BINARIES "/sla-emu", "run",       "--hda", image, "--cpu", GetParam(), "--clock", "virtual",
            "--debug-output",        "/dev/null", "--hash"};
        if (in_full()) {
            command.insert(command.end(), {"--for", "60s", "--type",
                                           "\\{see The only entry}c\\{see grub>}echo Typed at GRUB\n"
                                           "\\{see \\nTyped at GRUB}\\{stop}"});
        } else {
            command.insert(command.end(), {"--for", "150ms"});
        }
        Process pc(command);
        EXPECT_EQ(pc.wait(std::chrono::minutes(30)).code, 0) << pc.errors();
        return pc.output();
    }
};

TEST_P(Repeats, SeaBiosAndGrubToTheEvent) {
    if (installed("boot.img").empty()) GTEST_SKIP() << "Debian's package grub-pc-bin is not installed";
    const std::string image = grub_image();
    const std::string first = hash_of_run(image);
    std::cout << GetParam() << ": " << first;
    EXPECT_THAT(first, HasSubstr("hash "));
    EXPECT_EQ(first, hash_of_run(image));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Repeats, testing::Values("unicorn", "x86emu"),
                         [](const auto& cpu) { return std::string(cpu.param); });

// The short form is Software.Memtest86StartsFromAFloppyAndTests.
TEST_F(Software, Memtest86PassesOverASmallMemoryWithoutAnError) {
    if (!in_full()) GTEST_SKIP() << "takes long: sh tests/integration/emu/long.sh memtest";
    ASSERT_FALSE(installed("memtest86+ia32.bin").empty()) << "Debian's package memtest86+ is not installed";
    const std::string image = directory.file("memtest.img");
    write_file(image, read_file(installed("memtest86+ia32.bin")), kFloppy);
    const std::string screen = directory.file("screen.txt");
    Process pc({SLA_BINARIES "/sla-emu", "run", "--fda", image, "--memory", "6", "--for", "5h", "--hook", "irq", "--screen",
                screen, "--debug-output", "/dev/null", "--type", "\\{see Pass:  1}\\{stop}"});
    ASSERT_EQ(pc.wait(std::chrono::hours(3)).code, 0) << pc.errors();
    const std::string shown = read_file(screen);
    std::cout << shown << pc.errors();
    EXPECT_THAT(shown, HasSubstr("Pass:  1"));
    EXPECT_THAT(shown, HasSubstr("Errors: 0"));
}

class Storm : public Guests, public testing::WithParamInterface<const char*> {};

TEST_P(Storm, OfPort80IsSeenToTheLastWrite) {
    const std::string cpu = GetParam();
    if (cpu == "kvm") {
        Process list({SLA_BINARIES "/sla-emu", "cpus"});
        list.wait(kHang);
        if (list.output().find("kvm      works") == std::string::npos) GTEST_SKIP() << list.output();
    }
    const std::uint32_t writes = in_full() ? 10'000'000 : cpu == "kvm" ? 5'000 : 200'000;
    std::string image = read_file(SLA_GUEST_DIR "/ports.bin");
    ASSERT_EQ(image.size(), 4096U);
    constexpr std::size_t kRoundsAt = 0xFE0;
    std::memcpy(image.data() + kRoundsAt, &writes, sizeof writes);
    const std::string rom = directory.file("storm.bin");
    write_file(rom, image, image.size());
    const std::string capture = directory.file("storm.sla");
    // A ring that holds what comes while a starved host does not let the agent run.
    Process recording({SLA_BINARIES "/sla", "record", "-o", capture, "--", SLA_BINARIES "/sla-emu", "run", rom, "--cpu", cpu,
                       "--hook", "port.post"},
                      {{"SLA_RING_SLOTS", in_full() ? "4194304" : "1048576"}});
    ASSERT_EQ(recording.wait(std::chrono::minutes(20)).code, 1) << "the guest's own: " << recording.errors();
    store::Session session;
    ASSERT_TRUE(ingest::load(capture, session).ok());
    std::uint64_t seen = 0;
    for (const store::Lane* lane : session.lanes()) {
        if (lane->channel().name == "port.post") seen += lane->size();
    }
    std::cout << cpu << ": " << seen << " of " << writes << " writes seen, " << session.lost() << " counted as lost\n";
    EXPECT_EQ(seen, writes);
    EXPECT_EQ(session.lost(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Cpu, Storm, testing::Values("unicorn", "x86emu", "kvm"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla
