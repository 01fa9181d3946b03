#include "emu/device/interrupt/ioapic.h"
#include "emu/device/interrupt/lapic.h"
#include "tests/unit/emu/device/bench.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::device {
namespace {

class ApicTest : public testing::Test {
protected:
    std::uint32_t get(unsigned offset) { return lapic.read_mmio(Lapic::kBase + offset, bus::Width::kDword); }
    void set(unsigned offset, std::uint32_t value) { lapic.write_mmio(Lapic::kBase + offset, bus::Width::kDword, value); }
    void redirect(unsigned input, std::uint32_t low, std::uint32_t high = 0) {
        ioapic_set(0x11 + 2 * input, high);
        ioapic_set(0x10 + 2 * input, low);
    }
    void ioapic_set(unsigned reg, std::uint32_t value) {
        ioapic.write_mmio(Ioapic::kBase, bus::Width::kDword, reg);
        ioapic.write_mmio(Ioapic::kBase + 0x10, bus::Width::kDword, value);
    }
    std::uint32_t ioapic_get(unsigned reg) {
        ioapic.write_mmio(Ioapic::kBase, bus::Width::kDword, reg);
        return ioapic.read_mmio(Ioapic::kBase + 0x10, bus::Width::kDword);
    }
    void enable() { set(0xF0, 0x1FF); }

    Bench bench;
    Lapic lapic{bench.events};
    Ioapic ioapic{lapic};
};

TEST_F(ApicTest, OffThePicIsNoticedAndOnAgainItIsAsAfterAReset) {
    enable();
    set(0x80, 0x20);
    EXPECT_TRUE(lapic.admits(0x31));
    EXPECT_FALSE(lapic.admits(0x2F)) << "the task's priority";
    lapic.switch_on(false);
    EXPECT_FALSE(lapic.admits(0x31));
    EXPECT_TRUE(lapic.lets_pic_through());
    lapic.deliver(Lapic::Delivery::kFixed, 0x41, false);
    EXPECT_FALSE(lapic.interrupt());
    lapic.switch_on(true);
    EXPECT_EQ(get(0x80), 0U);
    enable();
    EXPECT_TRUE(lapic.admits(0x2F));
    redirect(4, 0x41);
    EXPECT_TRUE(ioapic.admits(4, true));
    EXPECT_FALSE(ioapic.admits(4, false)) << "no NMI";
    redirect(4, 0x400);
    EXPECT_TRUE(ioapic.admits(4, false));
    redirect(4, 0x10041);
    EXPECT_FALSE(ioapic.admits(4, true)) << "masked";
}

TEST_F(ApicTest, ServiceThatAResetOrASwitchCutsShortIsReportedAsEndedFromTheInnermostOn) {
    struct Log final : LapicObserver {
        void apic_service_begins(std::uint8_t) override {}
        void apic_service_ends(std::uint8_t vector) override { ended.push_back(vector); }
        std::vector<unsigned> ended;
    } log;
    lapic.observe(&log);
    const auto serve = [this](std::uint8_t vector) {
        lapic.deliver(Lapic::Delivery::kFixed, vector, false);
        EXPECT_EQ(lapic.acknowledge(), vector);
    };
    enable();
    serve(0x41);
    serve(0x60);
    lapic.reset();
    EXPECT_EQ(log.ended, (std::vector<unsigned>{0x60, 0x41}));
    enable();
    serve(0x52);
    lapic.switch_on(false);
    EXPECT_EQ(log.ended, (std::vector<unsigned>{0x60, 0x41, 0x52}));
    lapic.reset();
    EXPECT_EQ(log.ended.size(), 3U) << "nothing is served any more";
}

TEST_F(ApicTest, LetsThePicThroughUntilTheGuestDecidesOtherwise) {
    EXPECT_TRUE(lapic.lets_pic_through());
    enable();
    EXPECT_TRUE(lapic.lets_pic_through()) << "LINT0 stays as the power-on left it";
    set(0x350, 0x10700);
    EXPECT_FALSE(lapic.lets_pic_through());
    set(0x350, 0x00030);
    EXPECT_FALSE(lapic.lets_pic_through()) << "a fixed vector is no PIC";
}

TEST_F(ApicTest, SendsInterruptsToItself) {
    enable();
    set(0x300, 0x40041);
    ASSERT_TRUE(lapic.interrupt());
    EXPECT_EQ(get(0x220), 1U << 1) << "IRR of vector 41h";
    EXPECT_EQ(lapic.acknowledge(), 0x41);
    EXPECT_EQ(get(0x120), 1U << 1);
    EXPECT_FALSE(lapic.interrupt());
    set(0x0B0, 0);
    EXPECT_EQ(get(0x120), 0U);
}

TEST_F(ApicTest, AcceptsOnlyWhatIsMoreUrgentThanTaskAndService) {
    enable();
    set(0x080, 0x50);
    set(0x300, 0x4005F);
    EXPECT_FALSE(lapic.interrupt()) << "the same class as the task";
    set(0x300, 0x40061);
    EXPECT_EQ(lapic.acknowledge(), 0x61);
    EXPECT_EQ(get(0x0A0), 0x60U);
    set(0x300, 0x40062);
    EXPECT_FALSE(lapic.interrupt());
    set(0x300, 0x40070);
    EXPECT_EQ(lapic.acknowledge(), 0x70);
    set(0x0B0, 0), set(0x0B0, 0), set(0x080, 0);
    EXPECT_EQ(lapic.acknowledge(), 0x62);
    set(0x0B0, 0);
    EXPECT_EQ(lapic.acknowledge(), 0x5F);
}

TEST_F(ApicTest, AnswersSpuriouslyWhenNothingIsLeft) {
    enable();
    EXPECT_EQ(lapic.acknowledge(), 0xFF);
    EXPECT_EQ(get(0x170), 0U);
}

TEST_F(ApicTest, CountsDownAndFires) {
    enable();
    set(0x3E0, 0x0B);  // bus clock, 100 MHz
    set(0x320, 0x00040);
    set(0x380, 100'000);
    bench.pass(500 * Bench::kMicrosecond);
    EXPECT_NEAR(get(0x390), 50'000, 10);
    EXPECT_FALSE(lapic.interrupt());
    bench.pass(500 * Bench::kMicrosecond);
    EXPECT_EQ(lapic.acknowledge(), 0x40);
    EXPECT_EQ(get(0x390), 0U);
    set(0x0B0, 0);
    bench.pass(Bench::kSecond);
    EXPECT_FALSE(lapic.interrupt()) << "one shot";
}

TEST_F(ApicTest, FiresPeriodically) {
    enable();
    set(0x3E0, 0x03);  // divided by 16
    set(0x320, 0x20040);
    set(0x380, 6250);  // 1 ms
    int fired = 0;
    for (int step = 0; step < 100; ++step) {
        bench.pass(Bench::kMillisecond);
        if (!lapic.interrupt()) continue;
        lapic.acknowledge();
        set(0x0B0, 0);
        ++fired;
    }
    EXPECT_EQ(fired, 100);
    set(0x380, 0);
    EXPECT_FALSE(bench.events.next_due());
}

TEST_F(ApicTest, TakesAnNmiOnce) {
    set(0x300, 0x40400);
    EXPECT_TRUE(lapic.take_nmi());
    EXPECT_FALSE(lapic.take_nmi());
}

TEST_F(ApicTest, BringsAnEdgeOnce) {
    enable();
    redirect(4, 0x34);
    ioapic.set_irq(4, true);
    EXPECT_EQ(lapic.acknowledge(), 0x34);
    set(0x0B0, 0);
    EXPECT_FALSE(lapic.interrupt());
    ioapic.set_irq(4, false);
    ioapic.set_irq(4, true);
    EXPECT_TRUE(lapic.interrupt());
}

TEST_F(ApicTest, BringsALevelAgainAfterItsEnd) {
    enable();
    redirect(9, 0x8039);
    ioapic.set_irq(9, true);
    EXPECT_EQ(lapic.acknowledge(), 0x39);
    EXPECT_EQ(ioapic_get(0x10 + 18) & 0x4000, 0x4000U) << "remote IRR";
    set(0x0B0, 0);
    EXPECT_TRUE(lapic.interrupt()) << "the line is still high";
    EXPECT_EQ(lapic.acknowledge(), 0x39);
    ioapic.set_irq(9, false);
    set(0x0B0, 0);
    EXPECT_FALSE(lapic.interrupt());
    EXPECT_EQ(ioapic_get(0x10 + 18) & 0x4000, 0U);
}

TEST_F(ApicTest, WiresTheTimerToInput2AndMasksEverythingFirst) {
    enable();
    EXPECT_EQ(ioapic_get(0x10 + 4), 0x10000U);
    EXPECT_EQ(ioapic_get(1), 0x170011U);
    ioapic.set_irq(0, true);
    EXPECT_FALSE(lapic.interrupt());
    ioapic.set_irq(0, false);
    redirect(2, 0x32);
    ioapic.set_irq(0, true);
    EXPECT_EQ(lapic.acknowledge(), 0x32);
}

TEST_F(ApicTest, LeavesMessagesForOthersAlone) {
    enable();
    redirect(5, 0x35, 0x07000000);
    ioapic.set_irq(5, true);
    EXPECT_FALSE(lapic.interrupt());
    set(0x0D0, 0x02000000);
    redirect(6, 0x0836, 0x02000000);  // logical, flat
    ioapic.set_irq(6, true);
    EXPECT_TRUE(lapic.interrupt());
}

}  // namespace
}  // namespace sla::device
