// Software that nobody here wrote runs on the emulated PC unchanged: Debian's SeaBIOS, GRUB and memtest86+. Skipped where
// the packages are not installed (tests/support/install.sh test).
#include "tests/integration/emu/guests.h"
#include "viewer/ingest/open.h"
#include "viewer/store/session.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace sla {
namespace {

using testing::HasSubstr;

TEST_F(Guests, AKernelWithPagesRingsAndTwoTasksRuns) {
    for (const char* clock : {"virtual", "host"}) {
        run({"--kernel", SLA_GUEST_DIR "/kernel.bin", "--clock", clock, "--for", kNever}, 9);
        EXPECT_THAT(debug_text(), HasSubstr("two tasks in ring 3, ticks=")) << clock;
    }
}

TEST_F(Guests, AKernelThatExpectsQemusTestDeviceRunsToItsEnd) {
    for (const char* cpu : {"unicorn", "x86emu"}) {
        run({"--kernel", SLA_GUEST_DIR "/test_kernel.bin", "--test-device", "--cpu", cpu, "--for", kNever}, 3);
        EXPECT_EQ(debug_text(), "its APIC is on, the echo came back") << cpu;
    }
    run({"--kernel", SLA_GUEST_DIR "/test_kernel.bin", "--cpu", "x86emu", "--for", kNever}, 0);
    EXPECT_EQ(debug_text(), "something is not as it should be") << "without the device nothing echoes";
}

TEST_F(Guests, AComProgramRunsWithTheServicesItNeeds) {
    for (const char* cpu : {"unicorn", "x86emu"}) {
        run({"--com", SLA_GUEST_DIR "/hello.bin", "--append", "you", "--cpu", cpu, "--clock", "virtual", "--for", "20s"}, 7);
        EXPECT_EQ(debug_text(), "Hello, you!") << cpu;
    }
    const std::string big = directory.file("big.com");
    write_file(big, "x", 70'000);
    Process refused({SLA_BINARIES "/sla-emu", "run", "--com", big});
    EXPECT_EQ(refused.wait().code, 2);
    EXPECT_THAT(refused.errors(), HasSubstr("fits into 64 KB"));
}

TEST_F(Software, Memtest86StartsFromAFloppyAndTests) {
    if (installed("memtest86+ia32.bin").empty()) GTEST_SKIP() << "Debian's package memtest86+ is not installed";
    const std::string image = directory.file("memtest.img");
    write_file(image, read_file(installed("memtest86+ia32.bin")), kFloppy);
    const std::string screen = run(
        {"--fda", image, "--memory", "8", "--for", kNever, "--hook", "irq", "--type", "\\{see Status: Testing}\\{stop}"});
    EXPECT_THAT(screen, HasSubstr("Memtest86+ v6"));
    EXPECT_THAT(screen, HasSubstr("Errors: 0"));
}

TEST_F(Software, SeaBiosFindsNothingToBoot) {
    for (const char* clock : {"virtual", "host"}) {
        const std::string screen = run({"--bios", installed("bios.bin"), "--clock", clock, "--for", kNever, "--type",
                                        "\\{see No bootable device.}\\{stop}"});
        EXPECT_THAT(screen, HasSubstr("SeaBIOS (version")) << clock;
        EXPECT_THAT(screen, HasSubstr("No bootable device.")) << clock;
        EXPECT_THAT(debug_text(), HasSubstr("Found QEMU fw_cfg")) << clock;
        EXPECT_THAT(debug_text(), HasSubstr("PS2 keyboard initialized")) << clock;
    }
}

TEST_F(Software, SeaBiosBootsAFloppyAndAHardDisk) {
    const std::string boot = read_file(SLA_GUEST_DIR "/boot_sector.bin");
    ASSERT_EQ(boot.size(), 2 * kSector);
    const std::string image = directory.file("disk.img");
    for (const char* drive : {"--fda", "--hda"}) {
        write_file(image, boot, kFloppy);
        EXPECT_THAT(run({drive, image, "--clock", "virtual", "--for", "60s"}, 5), HasSubstr("Hello from sector two"))
            << drive;
        EXPECT_EQ(read_file(image), boot + std::string(kFloppy - boot.size(), '\0')) << "the image stays as it is";
    }
}

TEST_F(Software, CodeThatIsReadFromAFloppyOverOlderCodeRuns) {
    const std::string image = directory.file("disk.img");
    write_file(image, read_file(SLA_GUEST_DIR "/overlays.bin"), kFloppy);
    for (const char* cpu : {"unicorn", "x86emu"}) {
        run({"--fda", image, "--cpu", cpu, "--clock", "virtual", "--for", "60s"}, 5);
        EXPECT_EQ(debug_text().substr(debug_text().size() - std::min<std::size_t>(debug_text().size(), 3)), "ABA") << cpu;
    }
}

TEST_F(Software, SeaBiosStartsAgainAfterEveryReset) {
    const std::string image = directory.file("disk.img");
    write_file(image, read_file(SLA_GUEST_DIR "/reboot.bin"), kFloppy);
    run({"--fda", image, "--clock", "virtual", "--for", "200s"}, 5);
    const std::string said = debug_text();
    std::size_t starts = 0;
    for (std::size_t at = 0; (at = said.find("SeaBIOS (version", at)) != std::string::npos; ++at) ++starts;
    EXPECT_GE(starts, 5U) << "one for each start, and those by which it resets itself";
    Process once({SLA_BINARIES "/sla-emu", "run", "--fda", image, "--clock", "virtual", "--for", "200s", "--no-reboot",
                  "--debug-output", "/dev/null"});
    EXPECT_EQ(once.wait(kHang).code, 0);
    EXPECT_THAT(once.errors(), HasSubstr("the PC was reset by the keyboard controller"));
}

TEST_F(Software, BootsShowInTheCapture) {
    const std::string image = directory.file("disk.img");
    write_file(image, read_file(SLA_GUEST_DIR "/boot_sector.bin"), kFloppy);
    const std::string capture = directory.file("boot.sla");
    Process recording({SLA_BINARIES "/sla", "record", "-o", capture, "--", SLA_BINARIES "/sla-emu", "run", "--fda", image,
                       "--clock", "virtual", "--for", "60s", "--hook", "irq,dma,int.13h,port.fdc"});
    ASSERT_EQ(recording.wait(kHang).code, 5) << "the guest's own, as sla-emu ends with it: " << recording.errors();
    store::Session session;
    ASSERT_TRUE(ingest::load(capture, session).ok());
    std::map<std::string, std::uint64_t> events;
    for (const store::Lane* lane : session.lanes()) events[lane->channel().name] = lane->size();
    EXPECT_GT(events["irq.0.isr"], 0U);
    EXPECT_EQ(events["irq.0.ack"] * 2, events["irq.0.isr"]) << "a begin and an end for each";
    EXPECT_EQ(events["dma.2"], 2U) << "the boot sector and the one behind it";
    EXPECT_GT(events["int.13h"], 0U);
    EXPECT_GT(events["port.fdc"], 0U);
    EXPECT_EQ(events.count("port.cmos"), 0U) << "nobody asked for it";
}

TEST_F(Software, GrubShowsItsMenuAndTakesACommand) {
    if (installed("boot.img").empty()) GTEST_SKIP() << "Debian's package grub-pc-bin is not installed";
    const std::string image = grub_image();
    const std::string picture = directory.file("screen.png");
    const std::string screen =
        run({"--hda", image, "--for", kNever, "--screen", picture, "--type",
             "\\{see The only entry}c\\{see grub>}echo Typed at GRUB\n\\{see \\nTyped at GRUB}\\{stop}"});
    EXPECT_THAT(screen, HasSubstr("GNU GRUB"));
    EXPECT_THAT(screen, HasSubstr("grub> echo Typed at GRUB\nTyped at GRUB\n"));
    EXPECT_EQ(read_file(picture).substr(0, 4), "\x89PNG");
}

TEST_F(Guests, BadImagesAreNamedWithTheReason) {
    const std::string image = directory.file("bad.img");
    const auto refusal = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {SLA_BINARIES "/sla-emu", "run"});
        Process pc(arguments);
        EXPECT_EQ(pc.wait().code, 2);
        return pc.errors();
    };
    write_file(image, "x", 1000);
    EXPECT_THAT(refusal({"--hda", image}), HasSubstr("whole sectors"));
    write_file(image, "x", 4096);
    EXPECT_THAT(refusal({"--fda", image}), HasSubstr("which no floppy disk has"));
    EXPECT_THAT(refusal({"--kernel", image}), HasSubstr("no Multiboot header"));
    EXPECT_THAT(refusal({"--bios", directory.file("")}), HasSubstr("is a directory"));
    EXPECT_THAT(refusal({"--demo", "--screen", "s.gif"}), HasSubstr(".txt or .png"));
    EXPECT_THAT(refusal({"--demo", "--sample", "16"}), HasSubstr("EVENT:N"));
    EXPECT_THAT(refusal({"--demo", "--sample", "16:100"}), HasSubstr("--cpu x86emu"));
    EXPECT_THAT(refusal({"--bios", image, "--append", "x"}), HasSubstr("--append is for"));
    std::vector<std::string> items{"--demo"};
    for (int i = 0; i < 256; ++i) items.insert(items.end(), {"--fw", "opt/" + std::to_string(i) + "=u32:1"});
    EXPECT_THAT(refusal(items), HasSubstr("--fw: 256 of them; firmware reads at most 253"));
    write_file(image, "x", 15);
    EXPECT_THAT(refusal({"--bios", image}), HasSubstr("reset vector"));
    write_file(image, "x", std::size_t{5} << 20);
    EXPECT_THAT(refusal({"--bios", image}), HasSubstr("is it a disk image?"));
    std::string disk(8192, '\0');
    disk.replace(510, 2, "\x55\xAA");
    write_file(image, disk, disk.size());
    EXPECT_THAT(refusal({image}), HasSubstr("it is a disk image that begins with a boot sector: say --hda"));
    const std::string elf = read_file(SLA_GUEST_DIR "/kernel.bin");
    write_file(image, elf, elf.size() / 2);
    Process cut({SLA_BINARIES "/sla-emu", "run", "--kernel", image});
    EXPECT_EQ(cut.wait().code, 2) << cut.errors();
    EXPECT_THAT(refusal({"--demo", "--type", "\\{meta}"}), HasSubstr("there is no key"));
}

}  // namespace
}  // namespace sla
