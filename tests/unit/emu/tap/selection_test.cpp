#include "emu/tap/selection.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gmock/gmock.h>

namespace sla::tap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Selection selection(std::string_view list) {
    auto parsed = Selection::parse(list);
    EXPECT_TRUE(parsed.ok()) << list;
    return parsed.ok() ? *parsed : Selection();
}

TEST(Selection, KnowsWhetherItMayTakeWhatNobodyTyped) {
    for (const char* list : {"irq.*", "irq,port.?", "!irq", "irq,!irq.0"})
        EXPECT_TRUE(selection(list).has_patterns()) << list;
    for (const char* list : {"irq", "irq.0,port"}) EXPECT_FALSE(selection(list).has_patterns()) << list;
}

TEST(Selection, TakesNamesWhatIsBelowThemAndPatterns) {
    const Selection some = selection("irq,port.pit,int.*");
    EXPECT_TRUE(some.takes("irq.0.isr"));
    EXPECT_TRUE(some.takes("port.pit"));
    EXPECT_TRUE(some.takes("int.10h"));
    EXPECT_FALSE(some.takes("port.pic"));
    EXPECT_FALSE(some.takes("irqs"));
}

TEST(Selection, LeavesOutWhatHasAnExclamationMark) {
    EXPECT_FALSE(selection("port,!port.vga").takes("port.vga"));
    EXPECT_TRUE(selection("port,!port.vga").takes("port.pit"));
    EXPECT_TRUE(selection("!port").takes("irq.0")) << "only exceptions: out of everything";
    EXPECT_FALSE(selection("!port").takes("port.pit"));
    EXPECT_TRUE(selection("*").takes("anything.at.all"));
}

TEST(Selection, KnowsWhichFamiliesSomebodyAskedForByName) {
    for (const char* list : {"int", "int.*", "irq,int.21h", "i*"}) EXPECT_TRUE(selection(list).names("int")) << list;
    for (const char* list : {"irq", "*", "!int", "*.21h", "internal"}) EXPECT_FALSE(selection(list).names("int")) << list;
}

TEST(Selection, RefusesEmptyNames) {
    for (const char* list : {"", "irq,", ",", "!"}) {
        auto parsed = Selection::parse(list);
        ASSERT_FALSE(parsed.ok()) << list;
        EXPECT_THAT(parsed.error().message, HasSubstr("empty name"));
    }
}

TEST(SelectingSink, OpensAndFillsSelectedChannelsOnly) {
    RecordingSink behind;
    SelectingSink sink(behind, selection("irq"));
    const ChannelId port = sink.open("port.pit", "");
    const ChannelId irq = sink.open("irq.0", "x86.addr");
    sink.plain(port, SLA_CODE_TICK_VALUE, 1);
    sink.wide(port, SLA_CODE_TICK_VALUE, 1, 2, 3);
    sink.plain(irq, SLA_CODE_TICK_VALUE, 4);
    sink.wide(irq, SLA_CODE_TICK_VALUE, 5, 6, 7);
    EXPECT_FALSE(sink.listens(port));
    EXPECT_TRUE(sink.listens(irq));
    EXPECT_EQ(behind.events.size(), 2U);
    EXPECT_EQ(behind.formats.size(), 1U) << "the other channel was never opened";
}

TEST(SelectingSink, KnowsWhichPatternsNoChannelCameFor) {
    RecordingSink behind;
    SelectingSink sink(behind, selection("irq,prot.*,int.21h,!vmm"));
    EXPECT_THAT(sink.unmatched(), ElementsAre("irq", "prot.*", "int.21h"));
    sink.open("irq.0", "");
    sink.open("port.pit", "");
    EXPECT_THAT(sink.unmatched(), ElementsAre("prot.*", "int.21h"));
    EXPECT_THAT(sink.all_names(), ElementsAre("irq.0", "port.pit"));
    EXPECT_TRUE(sink.admits("int.21h")) << "opened by somebody else";
    EXPECT_FALSE(sink.admits("vmm.exit.port"));
    EXPECT_THAT(sink.unmatched(), ElementsAre("prot.*"));
}

}  // namespace
}  // namespace sla::tap
