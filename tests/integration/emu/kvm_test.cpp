// The program on the CPU "kvm": firmware and own guests run, and SIGINT ends every one. Skipped, with the reason, where the
// host's KVM does not work. Times are the host's here: limits are there to end a hang, and no measure.
#include "tests/integration/emu/guests.h"

#include <gmock/gmock.h>

#include <csignal>

namespace sla {
namespace {

using testing::HasSubstr;

class KvmSoftware : public Software {
protected:
    void SetUp() override {
        Software::SetUp();
        if (IsSkipped()) return;
        Process list({SLA_BINARIES "/sla-emu", "cpus"});
        ASSERT_EQ(list.wait(kHang).code, 0);
        const std::string cpus = list.output();
        line = cpus.substr(cpus.find("kvm "));
        if (line.find("works") == std::string::npos) GTEST_SKIP() << line;
    }
    std::string line;
};

TEST_F(KvmSoftware, SeaBiosFindsNothingToBoot) {
    const std::string screen = run(
        {"--bios", installed("bios.bin"), "--cpu", "kvm", "--for", kNever, "--type", "\\{see No bootable device.}\\{stop}"});
    EXPECT_THAT(screen, HasSubstr("No bootable device."));
    EXPECT_THAT(debug_text(), HasSubstr("PS2 keyboard initialized"));
}

TEST_F(KvmSoftware, SeaBiosBootsAFloppyAndAHardDisk) {
    const std::string image = directory.file("disk.img");
    write_file(image, read_file(SLA_GUEST_DIR "/boot_sector.bin"), kFloppy);
    for (const char* drive : {"--fda", "--hda"}) {
        // By real time: on a host that has none to give the BIOS runs into its timeout for the drive. Then once more.
        int code = 0;
        for (int attempt = 0; attempt < 3 && code != 5; ++attempt) {
            Process pc({SLA_BINARIES "/sla-emu", "run", drive, image, "--cpu", "kvm", "--for", "100s", "--type",
                        "\\{see No bootable device.}\\{stop}", "--debug-output", "/dev/null"});
            code = pc.wait(kHang).code;
        }
        EXPECT_EQ(code, 5) << drive << ": the boot sector's own exit code";
    }
}

TEST_F(KvmSoftware, AKernelWithPagesRingsAndTwoTasksRunsWhereTheHostCanPage) {
    const bool pages = line.find("paging") == std::string::npos;
    Process kernel(
        {SLA_BINARIES "/sla-emu", "run", "--kernel", SLA_GUEST_DIR "/kernel.bin", "--cpu", "kvm", "--for", kNever});
    EXPECT_EQ(kernel.wait(kHang).code, pages ? 9 : 3);
    if (pages) {
        EXPECT_THAT(kernel.output(), HasSubstr("two tasks in ring 3, ticks="));
    } else {
        EXPECT_THAT(kernel.errors(), HasSubstr("switched paging on, which the KVM of this host does not do"));
    }
}

TEST_F(KvmSoftware, AKernelThatExpectsQemusTestDeviceRunsOrSaysWhatTheHostDoesNotDo) {
    Process kernel({SLA_BINARIES "/sla-emu", "run", "--kernel", SLA_GUEST_DIR "/test_kernel.bin", "--test-device", "--cpu",
                    "kvm", "--for", kNever});
    const int code = kernel.wait(kHang).code;
    const std::string text = kernel.output() + kernel.errors();
    EXPECT_THAT(text,
                HasSubstr(code == 3 && text.find("exit code 3") != std::string::npos ? "its APIC is on, the echo came back"
                                                                                     : "use --cpu unicorn"));
}

TEST_F(KvmSoftware, SaysWhichChannelsAskedForItCannotShow) {
    const auto said = [&](const char* hook) {
        Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "1", "--cpu", "kvm", "--hook", hook});
        EXPECT_EQ(pc.wait(kHang).code, 0) << pc.errors();
        return pc.errors();
    };
    const std::string asked = said("irq,int.21h,exc");
    EXPECT_THAT(asked, HasSubstr("channels int.* stay empty: the CPU \"kvm\" enters handlers by itself"));
    EXPECT_THAT(asked, HasSubstr("channels exc.* stay empty"));
    EXPECT_EQ(said("irq,port").find("--hook"), std::string::npos);
}

TEST_F(KvmSoftware, SaysWhichEventsItCannotStopAtOrCount) {
    const support::TempDir runtime;
    const std::string counts = directory.file("counts.json");
    Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "0", "--cpu", "kvm", "--stop-at",
                "int.21h or pmc.ctr0 > 1000", "--counts", counts},
               {{"SLA_RUNTIME_DIR", runtime.path()}});
    EXPECT_TRUE(support::eventually([&] { return pc.errors().find("`sla-emu cpus`") != std::string::npos; }, kHang));
    EXPECT_THAT(pc.errors(), HasSubstr("--stop-at: channels int.* stay empty: the CPU \"kvm\" enters handlers by itself"));
    EXPECT_THAT(pc.errors(), HasSubstr("--stop-at: channels pmc.* show no counts: the CPU \"kvm\" counts no events"));
    EXPECT_THAT(pc.errors(), HasSubstr("--counts: the CPU \"kvm\" counts no events"));
    EXPECT_EQ(pc.errors().find("channels exc"), std::string::npos);
    Process asked({SLA_BINARIES "/sla-emu", "control", "stop-at exc.0eh"}, {{"SLA_RUNTIME_DIR", runtime.path()}});
    EXPECT_EQ(asked.wait(kHang).code, 0);
    EXPECT_THAT(asked.output(), HasSubstr("channels exc.* stay empty"));
    pc.signal(SIGINT);
    EXPECT_EQ(pc.wait(kHang).code, 0);
}

TEST_F(KvmSoftware, AnInterruptSignalEndsAnyGuest) {
    const std::string spin = directory.file("spin.bin");
    std::string image(4096, '\x90');
    image.replace(0xFF0, 3, "\xFA\xEB\xFE", 3);  // CLI, and a jump to itself
    write_file(spin, image, image.size());
    for (const int signal : {SIGINT, SIGTERM}) {
        Process pc({SLA_BINARIES "/sla-emu", "run", spin, "--cpu", "kvm"});
        EXPECT_TRUE(support::eventually([&] { return pc.errors().find("`sla-emu cpus`") != std::string::npos; }, kHang));
        pc.signal(signal);
        EXPECT_EQ(pc.wait(kHang).code, 0);
        EXPECT_THAT(pc.errors(), HasSubstr("stopped on request"));
    }
}

}  // namespace
}  // namespace sla
