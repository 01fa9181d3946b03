// Names, kinds, values and details of the channels: what people see of the emulated PC.
#include "emu/tap/tap.h"

#include "emu/snapshot/state_reader.h"
#include "emu/snapshot/state_writer.h"
#include "emu/tap/vmm_tap.h"
#include "proto/wire/formatter.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gmock/gmock.h>

namespace sla::tap {
namespace {

using bus::CodeAddress;
using bus::Width;

class TapTest : public testing::Test {
protected:
    [[nodiscard]] std::string text_of(const RecordingSink::Event& event) {
        std::string text;
        wire::format_details(seen.formats[event.channel], event.detail, text);
        return text;
    }

    RecordingSink seen;
    Tap tap{seen};
    const CodeAddress here{0xF000, 0xE05B, true};
};

TEST_F(TapTest, OpensChannelsWhenTheyAreFirstUsed) {
    EXPECT_TRUE(seen.formats.empty());
    tap.irq_line(14, true);
    tap.irq_line(14, false);
    EXPECT_EQ(seen.formats.size(), 1U);
    EXPECT_EQ(seen.events[0].channel, "irq.14");
    EXPECT_EQ(seen.events[0].code, SLA_CODE_LEVEL);
    EXPECT_EQ(seen.events[1].value, 0U);
}

TEST_F(TapTest, ShowsAServiceAsASpanFromTheInterruptedCode) {
    tap.irq_service_begins(0, 0x20, here);
    tap.irq_service_ends(0);
    const auto events = seen.of("irq.0.isr");
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].code, SLA_CODE_BEGIN);
    EXPECT_EQ(text_of(events[0]), "at f000:e05b");
    EXPECT_EQ(events[1].code, SLA_CODE_END);
}

TEST_F(TapTest, NamesInterruptsInHexAndExceptionsInDecimal) {
    tap.software_interrupt(0x1C, 0x1234, here);
    tap.exception(13, 0x28, here);
    tap.exception(0, 0, {});
    tap.irq_spurious(15);
    EXPECT_EQ(seen.of("int.1ch").at(0).value, 0x1234U);
    EXPECT_EQ(seen.of("exc.13").at(0).value, 0x28U);
    EXPECT_EQ(seen.of("exc.00").at(0).detail[1], 0U) << "no address known";
    EXPECT_EQ(seen.of("irq.spurious").at(0).value, 15U);
}

TEST_F(TapTest, KeepsOneLanePerDevice) {
    EXPECT_EQ(tap.port_channel(3, "post"), tap.port_channel(3, "post"));
    EXPECT_NE(tap.port_channel(3, "post"), tap.port_channel(4, "pit"));
    EXPECT_EQ(seen.formats.size(), 2U);
}

TEST_F(TapTest, ShowsHaltsAsSpans) {
    tap.halt_begins(here);
    tap.halt_ends();
    EXPECT_EQ(seen.count("cpu.hlt", SLA_CODE_BEGIN), 1U);
    EXPECT_EQ(seen.count("cpu.hlt", SLA_CODE_END), 1U);
}

TEST_F(TapTest, NamesChipsInMemoryAndDmaChannels) {
    const ChannelId lapic = tap.mmio_channel(1, "lapic");
    tap.mmio(lapic, {0xFEE000B0, bus::Width::kDword, true, 7}, {8, 0x1234, true});
    tap.dma(2, 0x8000, 512, true);
    ASSERT_EQ(seen.of("mmio.lapic").size(), 1U);
    EXPECT_EQ(seen.of("mmio.lapic")[0].value, 7U);
    EXPECT_EQ(seen.of("mmio.lapic")[0].detail[0], 0x6'FEE000B0ULL);
    EXPECT_EQ(seen.of("mmio.lapic")[0].detail[1], 0x8'00001234ULL);
    EXPECT_EQ(seen.of("dma.2")[0].value, 512U);
    EXPECT_EQ(seen.of("dma.2")[0].detail[0], 0x7'00008000ULL);
    EXPECT_EQ(seen.formats["dma.2"], "x86.mem");
}

// Each time that it is taken back to before it opened it, and opens it again.
TEST(GuestChannels, OfANameAreOneForEveryoneBehind) {
    struct Opened final : RecordingSink {
        ChannelId open(const std::string& name, const char* format) override {
            ++times[name];
            return RecordingSink::open(name, format);
        }
        std::map<std::string, int> times;
    } seen;
    VmmTap tap(seen);
    snapshot::StateWriter before;
    before.section("guest");
    tap.visit_state(before);
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(tap.open_guest_channel("rest"), 0U);
        EXPECT_EQ(tap.open_guest_channel("work"), 1U);
        tap.guest_event(1, SLA_CODE_TICK, 0, {});
        snapshot::StateReader reader(before.sections(), {});
        reader.section("guest");
        tap.visit_state(reader);
        ASSERT_TRUE(reader.done().ok());
        EXPECT_EQ(tap.guest_channels(), 0U);
    }
    EXPECT_EQ(tap.open_guest_channel("work"), 0U) << "by another number, for that guest";
    tap.guest_event(0, SLA_CODE_TICK, 0, {});
    EXPECT_EQ(seen.count("guest.work", SLA_CODE_TICK), 4U);
    EXPECT_EQ(seen.times, (std::map<std::string, int>{{"guest.rest", 1}, {"guest.work", 1}}));
}

}  // namespace
}  // namespace sla::tap
