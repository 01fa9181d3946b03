#include "agent/linux/tracefs/event_selection.h"

#include <gtest/gtest.h>

namespace sla::linux {
namespace {

TEST(EventSelection, GroupsStandForTheirEvents) {
    const auto events = parse_event_selection("softirq,syscalls");
    ASSERT_TRUE(events.ok());
    ASSERT_EQ(events->size(), 3u);
    EXPECT_EQ((*events)[0].system, "irq");
    EXPECT_EQ((*events)[0].name, "softirq_*");
    EXPECT_FALSE((*events)[0].typed);
    EXPECT_EQ((*events)[2].name, "sys_exit");
}

TEST(EventSelection, AFilterBelongsToItsItem) {
    const auto events = parse_event_selection("sched:sched_switch if prev_pid==42 && next_comm != \"a,b\" , irq");
    ASSERT_TRUE(events.ok());
    ASSERT_EQ(events->size(), 2u);
    EXPECT_EQ((*events)[0].filter, "prev_pid==42 && next_comm != \"a,b\"");
    EXPECT_TRUE((*events)[0].typed);
    EXPECT_EQ((*events)[1].filter, "");
}

TEST(EventSelection, CommasInBracketsPartNothing) {
    const auto events = parse_event_selection("syscalls if (id==1,id==2)");
    ASSERT_TRUE(events.ok());
    EXPECT_EQ(events->size(), 2u);
    EXPECT_EQ((*events)[1].filter, "(id==1,id==2)");
}

TEST(EventSelection, NonsenseIsRefusedByName) {
    for (const char* text : {"", ",", "irq,,sched", "a:b:c", "irq:", ":x", "irq:../../x", "nothing", "irq if", "irq if (",
                             "irq if \"", "irq:x y"}) {
        const auto events = parse_event_selection(text);
        ASSERT_FALSE(events.ok()) << text;
        EXPECT_EQ(events.error().code, ErrorCode::kInvalidInput);
    }
}

}  // namespace
}  // namespace sla::linux
