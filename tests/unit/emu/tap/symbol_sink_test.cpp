#include "emu/tap/symbol_sink.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gtest/gtest.h>

namespace sla::tap {
namespace {

constexpr std::uint64_t place(std::uint64_t selector, std::uint64_t offset) {
    return selector << 32 | offset;
}

TEST(SymbolSink, SaysInWhichFunctionEventsHappenWheneverThatIsAnother) {
    symbol::Symbols symbols;
    ASSERT_TRUE(symbols.add("ff000 main\nff100 handler\n", 0).ok());
    RecordingSink behind;
    SymbolSink sink(behind, symbols);
    const ChannelId port = sink.open("port.post", "x86.port");
    sink.wide(port, SLA_CODE_TICK, 0, 0, place(0xF000, 0xF004));
    sink.wide(port, SLA_CODE_TICK, 0, 0, place(0xF000, 0xF008));
    sink.wide(port, SLA_CODE_TICK, 0, 0, 0);
    sink.wide(port, SLA_CODE_TICK, 0, 0, place(0xF000, 0xF100));
    sink.wide(port, SLA_CODE_TICK, 0, 0, place(0x0000, 0x0004));
    sink.plain(port, SLA_CODE_TICK, 0);
    const auto named = behind.of("cpu.symbol");
    ASSERT_EQ(named.size(), 2U);
    EXPECT_EQ(named[0].text, "main");
    EXPECT_EQ(named[1].text, "handler");
    EXPECT_EQ(behind.of("port.post").size(), 6U) << "all pass";
    EXPECT_EQ(behind.events[0].channel, "cpu.symbol") << "before the event that it is about";
}

}  // namespace
}  // namespace sla::tap
