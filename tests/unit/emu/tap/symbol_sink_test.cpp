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

// A visitor of one section with one list.
class Carried final : public bus::StateVisitor {
public:
    [[nodiscard]] bool loads() const override { return loads_; }
    bool begin(std::string_view, bool) override { return !is_missing; }
    void memory(std::string_view, std::span<std::uint8_t>) override {}
    void load() { loads_ = true; }

    bool is_missing = false;

protected:
    void number(std::string_view, std::uint64_t& value, unsigned) override {
        if (loads_) value = bytes_.size();
    }
    void signed_number(std::string_view, std::uint64_t&) override {}
    void bytes(std::string_view, std::span<std::uint8_t> values) override {
        if (loads_) {
            std::copy(bytes_.begin(), bytes_.end(), values.begin());
        } else {
            bytes_.assign(values.begin(), values.end());
        }
    }

private:
    bool loads_ = false;
    std::vector<std::uint8_t> bytes_;
};

TEST(SymbolSink, ARunThatGoesOnFromElsewhereSaysWhatTheOneThatCameBySaid) {
    symbol::Symbols symbols;
    ASSERT_TRUE(symbols.add("ff000 main\nff100 handler\n", 0).ok());
    RecordingSink behind;
    SymbolSink first(behind, symbols);
    const auto at = [](SymbolSink& sink, std::uint64_t offset) {
        sink.wide(sink.open("port.post", ""), SLA_CODE_TICK, 0, 0, place(0xF000, offset));
    };
    at(first, 0xF004);
    Carried state;
    first.visit_state(state);
    state.load();
    RecordingSink behind_second;
    SymbolSink second(behind_second, symbols);
    second.visit_state(state);
    at(second, 0xF008);
    EXPECT_TRUE(behind_second.of("cpu.symbol").empty()) << "still the same function";
    at(second, 0xF100);
    EXPECT_EQ(behind_second.of("cpu.symbol").size(), 1U);
    state.is_missing = true;
    second.visit_state(state);
    at(second, 0xF100);
    EXPECT_EQ(behind_second.of("cpu.symbol").size(), 2U) << "that state does not know";
}

}  // namespace
}  // namespace sla::tap
