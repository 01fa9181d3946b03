#include "agent/linux/tracefs/event_format.h"

#include "tests/unit/agent/linux/formats.h"
#include "tests/unit/agent/linux/page_builder.h"

#include <gtest/gtest.h>

namespace sla::linux {
namespace {

TEST(EventFormat, FieldsAreFoundByNameAndReadFromARecord) {
    const EventFormat format = sys_exit();
    EXPECT_EQ(format.id, 21);
    EXPECT_EQ(format.name, "sys_exit");
    const std::vector<std::byte> record = event_data(21, 7, std::int64_t{110}, std::int64_t{-2});
    ASSERT_TRUE(format.has_all({"id", "ret"}));
    EXPECT_EQ(format.find("id")->number(record), 110u);
    EXPECT_EQ(static_cast<std::int64_t>(format.find("ret")->number(record)), -2);
    EXPECT_EQ(format.find("no_such_field"), nullptr);
}

TEST(EventFormat, DynamicTextsAreReadFromWhereTheyStand) {
    const EventFormat format = irq_entry();
    // name: at byte 16, 8 bytes long, NUL included.
    const std::vector<std::byte> record =
        event_data(10, 0, std::int32_t{42}, std::uint32_t{16 | 8 << 16}, std::uint64_t{0x00787430'6f697274});
    EXPECT_EQ(format.find("name")->text(record), "trio0tx");
    std::string text;
    format.append_text(record, 100, text);
    EXPECT_EQ(text, "irq=42 name=trio0tx");
}

TEST(EventFormat, ATextThatIsNotWithinItsRecordReadsAsEmpty) {
    const EventFormat format = irq_entry();
    for (const std::uint32_t place : {16u | 9u << 16, 0xffffu | 4u << 16, 0xffffffffu}) {
        const std::vector<std::byte> record = event_data(10, 0, std::int32_t{1}, place, std::uint64_t{0x4141414141414141});
        EXPECT_EQ(format.find("name")->text(record), "") << place;
    }
    EXPECT_EQ(format.find("name")->text(std::vector<std::byte>(3)), "");
    EXPECT_EQ(format.find("irq")->number(std::vector<std::byte>(11)), 0u);
}

// Any user of the machine names his threads as he likes.
TEST(EventFormat, TextsOfTheKernelSteerNoTerminal) {
    const EventFormat format = irq_entry();
    const std::vector<std::byte> record =
        event_data(10, 0, std::int32_t{42}, std::uint32_t{16 | 8 << 16}, std::uint64_t{0x00780a6d'315b1b74});
    std::string text;
    format.append_text(record, 100, text);
    EXPECT_EQ(text, "irq=42 name=t?[1m?x");
}

TEST(EventFormat, NumbersAreCalledWhatTheKernelCallsThem) {
    const EventFormat softirq = softirq_entry();
    EXPECT_EQ(softirq.find("vec")->symbol(1), "TIMER");
    EXPECT_EQ(softirq.find("vec")->symbol(99), "99");
    const EventFormat exit = kvm_exit();
    EXPECT_EQ(exit.find("exit_reason")->symbol(12, 0), "HLT");
    EXPECT_EQ(exit.find("exit_reason")->symbol(0x78, 1), "hlt");
}

TEST(EventFormat, TextsAreCutAtTheLimit) {
    const EventFormat format = sys_exit();
    std::string text = "before ";
    format.append_text(event_data(21, 7, std::int64_t{123456789}, std::int64_t{0}), 10, text);
    EXPECT_EQ(text, "before id=1234567");
}

TEST(EventFormat, WhatIsNoFormatIsRefused) {
    for (const char* text :
         {"", "nonsense", "name: x\nID: -4\nformat:\n\nprint fmt: \"\"\n", "name: x\nID: 99999999\nformat:\n"}) {
        EXPECT_FALSE(parse_event_format("sys", text).ok()) << text;
    }
}

}  // namespace
}  // namespace sla::linux
