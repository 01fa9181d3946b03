#include "emu/device/interrupt/pic8259_pair.h"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

namespace sla::device {
namespace {

using bus::Width;
using testing::ElementsAre;
using testing::IsEmpty;

class Log final : public PicObserver {
public:
    void irq_line(unsigned irq, bool high) override { lines.push_back(std::to_string(irq) + (high ? " high" : " low")); }
    void irq_service_begins(unsigned irq, std::uint8_t) override { services.push_back("begin " + std::to_string(irq)); }
    void irq_service_ends(unsigned irq) override { services.push_back("end " + std::to_string(irq)); }
    void irq_spurious(unsigned irq) override { services.push_back("spurious " + std::to_string(irq)); }

    std::vector<std::string> lines;
    std::vector<std::string> services;
};

// Both chips as firmware sets them up: vectors 08h and 70h, edges, everything unmasked.
class PicTest : public testing::Test {
protected:
    void SetUp() override {
        initialize(0x01, 0x11);
        pic.observe(&log);
    }
    void initialize(std::uint8_t icw4, std::uint8_t icw1) {
        write(0x20, icw1), write(0xA0, icw1);
        write(0x21, 0x08), write(0xA1, 0x70);
        write(0x21, 0x04), write(0xA1, 0x02);
        write(0x21, icw4), write(0xA1, icw4);
    }
    void write(std::uint16_t port, std::uint8_t value) { pic.write_port(port, Width::kByte, value); }
    std::uint32_t read(std::uint16_t port) { return pic.read_port(port, Width::kByte); }
    std::uint32_t read_isr(std::uint16_t port) {
        write(port, 0x0B);
        return read(port);
    }
    std::uint32_t read_irr(std::uint16_t port) {
        write(port, 0x0A);
        return read(port);
    }
    void pulse(unsigned irq) {
        pic.set_irq(irq, false);
        pic.set_irq(irq, true);
    }

    Pic8259Pair pic;
    Log log;
};

TEST_F(PicTest, SaysWhichRequestsMasksAndServiceLetThrough) {
    EXPECT_TRUE(pic.admits(0) && pic.admits(4) && pic.admits(12));
    write(0x21, 0x10), write(0xA1, 0x10);
    EXPECT_FALSE(pic.admits(4) || pic.admits(12));
    write(0x21, 0x04), write(0xA1, 0x00);
    EXPECT_TRUE(pic.admits(4));
    EXPECT_FALSE(pic.admits(12)) << "the cascade is masked";
    write(0x21, 0x00);
    pic.set_irq(3, true);
    pic.acknowledge();
    EXPECT_TRUE(pic.admits(1) && pic.admits(12)) << "more urgent";
    EXPECT_FALSE(pic.admits(3) || pic.admits(4)) << "until the end of interrupt";
    write(0x20, 0x20);
    EXPECT_TRUE(pic.admits(4));
}

TEST_F(PicTest, AnswersWithTheVectorOfTheLineThatRose) {
    EXPECT_FALSE(pic.interrupt());
    pulse(3);
    EXPECT_TRUE(pic.interrupt());
    EXPECT_EQ(pic.acknowledge(), 0x0B);
    EXPECT_FALSE(pic.interrupt());
    EXPECT_EQ(read_isr(0x20), 0x08U);
}

TEST_F(PicTest, ServesTheLowerNumberFirst) {
    pulse(5);
    pulse(1);
    EXPECT_EQ(pic.acknowledge(), 0x09);
    EXPECT_FALSE(pic.interrupt()) << "IRQ 5 waits until IRQ 1 has been served";
    write(0x20, 0x20);
    EXPECT_EQ(pic.acknowledge(), 0x0D);
}

TEST_F(PicTest, LetsAMoreUrgentLineInterruptAService) {
    pulse(5);
    EXPECT_EQ(pic.acknowledge(), 0x0D);
    pulse(1);
    EXPECT_EQ(pic.acknowledge(), 0x09);
    EXPECT_EQ(read_isr(0x20), 0x22U);
    write(0x20, 0x20);
    EXPECT_EQ(read_isr(0x20), 0x20U) << "a plain EOI ends the most urgent service";
    EXPECT_THAT(log.services, ElementsAre("begin 5", "begin 1", "end 1"));
}

TEST_F(PicTest, EndsTheServiceThatASpecificEoiNames) {
    pulse(5);
    pic.acknowledge();
    pulse(1);
    pic.acknowledge();
    write(0x20, 0x65);
    EXPECT_EQ(read_isr(0x20), 0x02U);
    write(0x20, 0x66);
    EXPECT_THAT(log.services, ElementsAre("begin 5", "begin 1", "end 5")) << "no service of 6 to end";
}

TEST_F(PicTest, HoldsBackAMaskedLineUntilItIsUnmasked) {
    write(0x21, 0x01);
    EXPECT_EQ(read(0x21), 0x01U);
    pulse(0);
    EXPECT_FALSE(pic.interrupt());
    EXPECT_EQ(read_irr(0x20), 0x01U);
    write(0x21, 0x00);
    EXPECT_TRUE(pic.interrupt());
}

TEST_F(PicTest, GoesThroughTheCascadeForTheSlave) {
    pulse(12);
    EXPECT_EQ(pic.acknowledge(), 0x74);
    EXPECT_EQ(read_isr(0x20), 0x04U);
    EXPECT_EQ(read_isr(0xA0), 0x10U);
    write(0xA0, 0x20);
    write(0x20, 0x20);
    EXPECT_EQ(read_isr(0x20), 0U);
    EXPECT_THAT(log.services, ElementsAre("begin 12", "end 12")) << "the cascade itself is nobody's interrupt";
}

TEST_F(PicTest, RanksTheSlaveBetweenIrq1AndIrq3) {
    pulse(3);
    pulse(8);
    pulse(1);
    EXPECT_EQ(pic.acknowledge(), 0x09);
    write(0x20, 0x20);
    EXPECT_EQ(pic.acknowledge(), 0x70);
    write(0xA0, 0x20);
    write(0x20, 0x20);
    EXPECT_EQ(pic.acknowledge(), 0x0B);
}

TEST_F(PicTest, AnswersIrq7WithoutServiceWhenTheLineFellBack) {
    pulse(3);
    pic.set_irq(3, false);
    EXPECT_FALSE(pic.interrupt());
    EXPECT_EQ(pic.acknowledge(), 0x0F);
    EXPECT_EQ(read_isr(0x20), 0U);
    EXPECT_THAT(log.services, ElementsAre("spurious 7"));
}

TEST_F(PicTest, AnswersIrq15WhenOnlyTheCascadeIsLeft) {
    Pic8259 slave(Pic8259::Role::kSlave);
    Pic8259 master(Pic8259::Role::kMaster);
    for (Pic8259* chip : {&master, &slave}) {
        chip->write(0, 0x11);
        chip->write(1, chip == &master ? 0x08 : 0x70);
        chip->write(1, chip == &master ? 0x04 : 0x02);
        chip->write(1, 0x01);
    }
    master.set_input(2, true);
    EXPECT_EQ(master.acknowledge().level, 2);
    const auto answer = slave.acknowledge();
    EXPECT_TRUE(answer.spurious);
    EXPECT_EQ(answer.vector, 0x77);
}

TEST_F(PicTest, LowersIntBehindARequestThatAnAccessTookBack) {
    pulse(3);
    pic.access_begins();
    write(0x21, 0x08);
    EXPECT_FALSE(pic.interrupt());
    pic.linger();
    EXPECT_TRUE(pic.interrupt());
    EXPECT_EQ(pic.acknowledge(), 0x0F);
    EXPECT_FALSE(pic.interrupt()) << "answered";
    EXPECT_EQ(read_isr(0x20), 0U);
    write(0x21, 0x00);
    EXPECT_EQ(pic.acknowledge(), 0x0B) << "its line is still high";
    EXPECT_THAT(log.services, ElementsAre("spurious 7", "begin 3"));
}

TEST_F(PicTest, LowersTheCascadeBehindARequestThatAnAccessTookBack) {
    pulse(12);
    pic.access_begins();
    pic.set_irq(12, false);
    pic.linger();
    EXPECT_EQ(pic.acknowledge(), 0x77);
    EXPECT_FALSE(pic.interrupt());
    EXPECT_EQ(read_isr(0x20), 0x04U) << "the first chip believed it";
    EXPECT_EQ(read_isr(0xA0), 0U);
    EXPECT_THAT(log.services, ElementsAre("spurious 15"));
}

TEST_F(PicTest, LetsIntGoWithTheNextAccessAndAfterAPoll) {
    pulse(3);
    pic.access_begins();
    pic.set_irq(3, false);
    pic.linger();
    pic.access_begins();
    EXPECT_FALSE(pic.interrupt());
    pulse(3);
    write(0x20, 0x0C);
    pic.access_begins();
    EXPECT_EQ(read(0x20), 0x83U);
    pic.linger();
    EXPECT_FALSE(pic.interrupt()) << "a poll is an answer";
}

TEST_F(PicTest, EndsServicesByItselfInAutomaticMode) {
    initialize(0x03, 0x11);
    pulse(4);
    EXPECT_EQ(pic.acknowledge(), 0x0C);
    EXPECT_EQ(read_isr(0x20), 0U);
    EXPECT_THAT(log.services, ElementsAre("begin 4", "end 4"));
}

TEST_F(PicTest, MovesTheServedLineToTheEndWhenRotating) {
    pulse(3);
    pic.acknowledge();
    write(0x20, 0xA0);
    pulse(3);
    pulse(4);
    EXPECT_EQ(pic.acknowledge(), 0x0C) << "3 has the lowest priority now, 4 the highest";
}

TEST_F(PicTest, KeepsALevelRequestUntilTheLineFalls) {
    initialize(0x01, 0x19);
    pic.set_irq(6, true);
    EXPECT_EQ(pic.acknowledge(), 0x0E);
    write(0x20, 0x20);
    EXPECT_TRUE(pic.interrupt()) << "still high, so it asks again";
    pic.set_irq(6, false);
    EXPECT_FALSE(pic.interrupt());
}

TEST_F(PicTest, ServesEverythingElseUnderTheSpecialMask) {
    pulse(1);
    pic.acknowledge();
    write(0x21, 0x02);
    write(0x20, 0x68);
    pulse(5);
    EXPECT_TRUE(pic.interrupt());
    EXPECT_EQ(pic.acknowledge(), 0x0D);
}

TEST_F(PicTest, AcknowledgesByPolling) {
    pulse(4);
    write(0x20, 0x0C);
    EXPECT_EQ(read(0x20), 0x84U);
    EXPECT_THAT(log.services, ElementsAre("begin 4"));
    write(0x20, 0x0C);
    EXPECT_EQ(read(0x20), 0U);
}

TEST_F(PicTest, EndsAllServicesAtInitialization) {
    pulse(1);
    pic.acknowledge();
    initialize(0x01, 0x11);
    EXPECT_THAT(log.services, ElementsAre("begin 1", "end 1"));
}

TEST_F(PicTest, ReportsLinesOnlyWhenTheyChange) {
    pic.set_irq(0, true);
    pic.set_irq(0, true);
    pic.set_irq(0, false);
    EXPECT_THAT(log.lines, ElementsAre("0 high", "0 low"));
    EXPECT_THAT(log.services, IsEmpty());
}

TEST_F(PicTest, SurvivesRandomWritesAndStillAnswers) {
    std::uint32_t random = 12345;
    for (int i = 0; i < 100'000; ++i) {
        random = random * 1664525 + 1013904223;
        constexpr std::array<std::uint16_t, 4> kPorts{0x20, 0x21, 0xA0, 0xA1};
        const std::uint16_t port = kPorts[random >> 8 & 3];
        if ((random >> 12 & 3) == 0) read(port);
        write(port, static_cast<std::uint8_t>(random >> 16));
        const unsigned irq = random >> 24 & 15;
        if (irq != Pic8259Pair::kCascade) pic.set_irq(irq, (random >> 28 & 1) != 0);
        if (pic.interrupt()) pic.acknowledge();
    }
    initialize(0x01, 0x11);
    pulse(0);
    EXPECT_EQ(pic.acknowledge(), 0x08);
}

TEST_F(PicTest, AsksAgainForALevelTriggeredLineThatStaysHigh) {
    write(0x4D1, 0xFF);
    EXPECT_EQ(read(0x4D1), 0xDEU) << "IRQ 8 and 13 are edges for good";
    pic.set_irq(10, true);
    EXPECT_EQ(pic.acknowledge(), 0x72);
    EXPECT_FALSE(pic.interrupt());
    write(0xA0, 0x20), write(0x20, 0x20);
    EXPECT_EQ(pic.acknowledge(), 0x72) << "still high";
    pic.set_irq(10, false);
    write(0xA0, 0x20), write(0x20, 0x20);
    EXPECT_FALSE(pic.interrupt());
}

TEST_F(PicTest, KeepsTheBoardsOwnInputsOnEdges) {
    write(0x4D0, 0xFF);
    EXPECT_EQ(read(0x4D0), 0xF8U);
    pic.set_irq(0, true);
    EXPECT_EQ(pic.acknowledge(), 0x08);
    write(0x20, 0x20);
    EXPECT_FALSE(pic.interrupt());
}

}  // namespace
}  // namespace sla::device
