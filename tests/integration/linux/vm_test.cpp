// A live virtual machine: QEMU with KVM, its firmware and its guest's own words, beside the host's events.
#include "tests/integration/linux/host_test.h"

#include <algorithm>

namespace sla {
namespace {

constexpr const char* kQemu = "/usr/bin/qemu-system-x86_64";

class VirtualMachine : public HostTest {
protected:
    void SetUp() override {
        HostTest::SetUp();
        if (IsSkipped()) return;
        if (access(kQemu, X_OK) != 0) GTEST_SKIP() << "skipped, because " << kQemu << " is not installed";
        if (access("/dev/kvm", R_OK | W_OK) != 0) GTEST_SKIP() << "skipped, because /dev/kvm cannot be had";
    }
    // Boots the guest's disk under SeaBIOS; it ends by itself.
    int record_guest() {
        return record({"--linux",
                       "kvm,irq",
                       "--for",
                       "170s",
                       "--",
                       kQemu,
                       "-name",
                       "guest,debug-threads=on",
                       "-accel",
                       "kvm",
                       "-m",
                       "16",
                       "-display",
                       "none",
                       "-monitor",
                       "none",
                       "-serial",
                       "none",
                       "-no-reboot",
                       "-net",
                       "none",
                       "-device",
                       "isa-debug-exit,iobase=0xf4,iosize=4",
                       "-drive",
                       "snapshot=on,format=raw,file=" SLA_GUEST});
    }
    static std::vector<HostRow> rows_ending(const HostRows& rows, const std::string& ending) {
        for (const auto& [lane, of_lane] : rows) {
            if (lane.starts_with("kvm.qemu-") && lane.ends_with(ending)) return of_lane;
        }
        return {};
    }
};

TEST_F(VirtualMachine, ItsPortsItsInterruptsItsOwnMarkersAndItsClockAreLanes) {
    constexpr std::size_t kRounds = 500;
    const int code = record_guest();  // QEMU's own: isa-debug-exit makes 1 of the guest's 0; 0 when --for ended it
    ASSERT_TRUE(code == 1 || code == 0) << code << errors_;
    if (absent_) GTEST_SKIP() << "skipped, because " << errors_;
    if (errors_.find("terminating on signal") != std::string::npos)
        GTEST_SKIP() << "skipped, because the guest did not boot within 170 s on this machine now";
    const HostRows rows = this->rows({"kvm.*"});
    const std::vector<HostRow> ports = rows_ending(rows, ".pio");
    const auto is_clock = [](const HostRow& row) {
        return row.text.starts_with("out 5A4h") || row.text.starts_with("out 5a4h");
    };
    EXPECT_EQ(std::count_if(ports.begin(), ports.end(), is_clock), static_cast<long>(kRounds));
    EXPECT_GT(ports.size(), 3 * kRounds) << "SeaBIOS asks many ports";
    const std::vector<HostRow> markers = rows_ending(rows, ".guest");
    ASSERT_EQ(markers.size(), 2 * kRounds);
    const std::vector<HostRow> clock = rows_ending(rows, ".guest_clock");
    ASSERT_EQ(clock.size(), kRounds);
    for (std::size_t i = 0; i < kRounds; i++) {
        EXPECT_EQ(markers[2 * i].kind, "begin");
        EXPECT_EQ(markers[2 * i + 1].kind, "end");
        EXPECT_TRUE(markers[2 * i].tick < clock[i].tick && clock[i].tick < markers[2 * i + 1].tick);
    }
    EXPECT_NE(clock.back().text.find("+-"), std::string::npos) << clock.back().text;
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const auto& lane) {
        return lane.first.find(".irq.") != std::string::npos;
    })) << "no interrupt line of the guest's PC is told";
}

}  // namespace
}  // namespace sla
