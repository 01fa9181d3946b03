// Our own emulated PC on KVM is seen twice: by the emulator, which serves its ports, and by the kernel (kvm_pio). Both, and
// what the guest counts itself, must be the same.
#include "tests/integration/linux/host_test.h"

#include <algorithm>
#include <sstream>

namespace sla {
namespace {

// What the demonstration guest counts leaves these two out: they are how it prints, and how it ends.
constexpr const char* kUncounted[] = {"out 402h", "out f4h"};

class EmulatedPcOnKvm : public HostTest {
protected:
    void SetUp() override {
        HostTest::SetUp();
        if (IsSkipped()) return;
        support::Process list({SLA_BINARIES "/sla-emu", "cpus"});
        list.wait();
        if (list.output().find("kvm      works") == std::string::npos)
            GTEST_SKIP() << "skipped, because the CPU kvm cannot be had: " << list.output();
    }
    // The guest's text among what a recording says: "... out=296 in=57 ...".
    static std::map<std::string, std::size_t> counts_in(const std::string& text) {
        std::map<std::string, std::size_t> counts;
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const std::size_t equals = word.find('=');
            if (equals != std::string::npos) counts[word.substr(0, equals)] = std::strtoull(&word[equals + 1], nullptr, 10);
        }
        return counts;
    }
    static std::vector<HostRow> rows_of(const HostRows& rows, const std::string& begin, const std::string& end) {
        std::vector<HostRow> found;
        for (const auto& [lane, of_lane] : rows) {
            if (lane.starts_with(begin) && lane.ends_with(end)) found.insert(found.end(), of_lane.begin(), of_lane.end());
        }
        std::stable_sort(found.begin(), found.end(), [](const HostRow& a, const HostRow& b) { return a.tick < b.tick; });
        return found;
    }
    static std::size_t counted(const std::vector<HostRow>& accesses, const std::string& direction) {
        return static_cast<std::size_t>(std::count_if(accesses.begin(), accesses.end(), [&](const HostRow& row) {
            return row.text.starts_with(direction) && std::none_of(std::begin(kUncounted), std::end(kUncounted),
                                                                   [&](const char* port) { return row.text == port; });
        }));
    }
};

TEST_F(EmulatedPcOnKvm, TheGuestTheEmulatorAndTheKernelCountTheSamePortAccessesInCausalOrder) {
    ASSERT_EQ(
        record({"--linux", "kvm:kvm_pio", "--", SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "60", "--cpu", "kvm"}),
        0)
        << errors_;
    if (absent_) GTEST_SKIP() << "skipped, because " << errors_;
    std::map<std::string, std::size_t> guest = counts_in(output_);
    ASSERT_GE(guest["out"], 60u) << "each tick is acknowledged by a write: " << output_;
    const HostRows rows = this->rows({"kvm.*", "port.*"});
    std::vector<HostRow> kernel = rows_of(rows, "kvm.sla-emu-", ".pio");
    std::vector<HostRow> emulator = rows_of(rows, "port.", "");
    for (HostRow& row : emulator) row.text = row.text.substr(0, row.text.find(" at "));  // the kernel does not report CS:EIP
    ASSERT_GE(kernel.size(), emulator.size());
    // Before it runs its guest, the emulator tries this host's KVM with a small one of its own.
    kernel.erase(kernel.begin(), kernel.end() - static_cast<std::ptrdiff_t>(emulator.size()));
    for (const auto* seen : {&kernel, &emulator}) {
        EXPECT_EQ(counted(*seen, "out "), guest["out"]);
        EXPECT_EQ(counted(*seen, "in "), guest["in"]);
    }
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < kernel.size(); i++) {
        ASSERT_EQ(kernel[i].text, emulator[i].text) << "access " << i;
        ASSERT_EQ(kernel[i].value, emulator[i].value) << "access " << i;
        // The kernel sees a write on its way to the emulator, and what was read on its way back.
        const bool writes = kernel[i].text.starts_with("out");
        const std::uint64_t first = writes ? kernel[i].tick : emulator[i].tick;
        const std::uint64_t second = writes ? emulator[i].tick : kernel[i].tick;
        ASSERT_LT(before, first) << "access " << i << " begins after the one before it has ended";
        ASSERT_LT(first, second) << "access " << i << ": " << kernel[i].text;
        before = second;
    }
}

}  // namespace
}  // namespace sla
