#include "agent/linux/events/translator.h"

#include "tests/unit/agent/linux/formats.h"
#include "tests/unit/agent/linux/page_builder.h"
#include "tests/unit/agent/linux/recording_lanes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <set>

namespace sla::linux {
namespace {

using Comm = std::array<char, 16>;

Comm comm(const char* name) {
    Comm text{};
    std::strncpy(text.data(), name, text.size() - 1);
    return text;
}

class TranslatorTest : public testing::Test {
protected:
    TranslatorTest() {
        for (const EventFormat& format : {irq_entry(), irq_exit(), softirq_entry(), sys_enter(), sys_exit(), sched_switch(),
                                          sched_wakeup(), kvm_pio(), kvm_exit(), kvm_entry()})
            translator_.add_event(format);
    }
    void give(std::uint64_t tick, const std::vector<std::byte>& data, int cpu = 0) {
        translator_.take(cpu, TraceRecord{tick, data});
    }
    void give_loss(std::uint64_t tick, std::uint64_t until, std::optional<std::uint64_t> count, int cpu = 0) {
        TraceItem item;
        item.kind = TraceItem::Kind::kLoss;
        item.record.tick = tick;
        item.until_tick = until;
        item.lost = count;
        translator_.take(cpu, item);
    }
    void give_switch(std::uint64_t tick, const char* from, int from_tid, std::int64_t state, const char* to, int to_tid,
                     int cpu = 0) {
        give(tick,
             event_data(30, from_tid, comm(from), std::int32_t{from_tid}, std::int32_t{120}, state, comm(to),
                        std::int32_t{to_tid}, std::int32_t{120}),
             cpu);
    }
    void give_wakeup(std::uint64_t tick, const char* name, int tid) {
        give(tick, event_data(31, 1, comm(name), std::int32_t{tid}));
    }
    // OUT of a guest, by this virtual CPU.
    void give_out(std::uint64_t tick, std::uint32_t port, std::uint32_t eax, int vcpu) {
        give(tick, event_data(40, vcpu, std::uint32_t{1}, port, std::uint32_t{4}, std::uint32_t{1}, eax));
    }
    // "lane:text" of all rows of lanes that begin so.
    std::vector<std::string> texts_of(const std::string& lanes) {
        std::vector<std::string> texts;
        for (const auto& row : sink_.rows) {
            if (row.lane.starts_with(lanes)) texts.push_back(row.lane.substr(lanes.size()) + ":" + row.extra.text);
        }
        return texts;
    }
    RecordingLanes sink_;
    Translator translator_{
        sink_, {[](std::int32_t tid) { return tid == 500 ? "qemu.x" : ""; }, [](std::int32_t tid) { return tid; }}};
};

TEST_F(TranslatorTest, AnInterruptIsASpanOfItsCpuNamedByItsEntry) {
    give(100, event_data(10, 1, std::int32_t{42}, std::uint32_t{16 | 8 << 16}, std::uint64_t{0x0000'7874'2d30'7664}), 1);
    give(150, event_data(11, 1, std::int32_t{42}, std::int32_t{1}), 1);
    ASSERT_EQ(sink_.rows.size(), 2u);
    EXPECT_EQ(sink_.rows[0].lane, "linux.irq.dv0-tx");
    EXPECT_EQ(sink_.rows[1].lane, "linux.irq.dv0-tx");
    EXPECT_EQ(sink_.rows[0].code, SLA_CODE_BEGIN_VALUE);
    EXPECT_EQ(sink_.rows[1].code, SLA_CODE_END_VALUE);
    EXPECT_EQ(sink_.rows[0].thread, "cpu 1");
    EXPECT_EQ(sink_.rows[0].value, 42);
}

TEST_F(TranslatorTest, ASystemCallIsASpanOfItsThreadFromFirstArgumentToResult) {
    give(10, event_data(20, 77, std::int64_t{110}, std::uint64_t{3}, std::uint64_t{0}));
    give(20, event_data(21, 77, std::int64_t{110}, std::int64_t{-9}));
    ASSERT_EQ(sink_.rows.size(), 2u);
    EXPECT_EQ(sink_.rows[0].lane, "linux.syscall.getppid");
    EXPECT_EQ(sink_.rows[0].value, 3);
    EXPECT_EQ(sink_.rows[1].value, -9);
    EXPECT_EQ(sink_.rows[0].thread, "task-77");
    EXPECT_EQ(translator_.events(), 2u);
}

TEST_F(TranslatorTest, SwitchesShowWhoRunsAndWhatBecomesOfTheOther) {
    give_switch(10, "swapper/0", 0, 0, "worker", 7);
    give_switch(20, "worker", 7, 1, "other", 8);
    give_switch(30, "other", 8, 0, "worker", 7);
    give_switch(40, "worker", 7, 0x100, "swapper/0", 0);
    EXPECT_EQ(texts_of("linux.cpu.0"), (std::vector<std::string>{":worker (7)", ":other (8)", ":worker (7)", ":idle"}));
    EXPECT_EQ(texts_of("linux.thread.worker"), (std::vector<std::string>{":running", ":blocked", ":running", ":runnable"}));
    EXPECT_EQ(texts_of("linux.thread.other"), (std::vector<std::string>{":running", ":runnable"}));
}

TEST_F(TranslatorTest, TasksOfOneNameHaveALaneEachAndAnEndedOneGivesItsLaneBack) {
    give_switch(10, "a", 1, 1, "b", 2);
    give_switch(20, "b", 2, 1, "b", 3);
    give_switch(30, "b", 3, 0x20, "b", 2);
    give_switch(40, "b", 2, 1, "b", 4);
    EXPECT_EQ(texts_of("linux.thread.b"), (std::vector<std::string>{":running", ":blocked", ":2:running", ":2:ended",
                                                                    ":running", ":blocked", ":2:running"}));
}

TEST_F(TranslatorTest, PortAccessesOfAVirtualMachineCarryTheirPort) {
    give(10, event_data(40, 500, std::uint32_t{1}, std::uint32_t{0x70}, std::uint32_t{1}, std::uint32_t{1},
                        std::uint32_t{0x8f}));
    ASSERT_EQ(sink_.rows.size(), 1u);
    EXPECT_TRUE(sink_.rows[0].lane.ends_with(".pio")) << sink_.rows[0].lane;
    EXPECT_TRUE(sink_.rows[0].lane.starts_with("kvm.")) << sink_.rows[0].lane;
    EXPECT_EQ(sink_.rows[0].value, 0x8f);
    EXPECT_EQ(sink_.rows[0].extra.detail[0], 0x70u | 1u << 18);
}

TEST_F(TranslatorTest, WhatAKernelThreadDoesGoesToTheVirtualMachineSeenLast) {
    constexpr std::int32_t kGone = 999'999'999;  // has no program, as a kernel thread has none
    const pid_t other = ::fork();
    if (other == 0) {
        ::pause();
        ::_exit(0);
    }
    for (const std::int32_t tid : {kGone, ::getpid(), other, ::getpid(), kGone}) give_out(10, 0x80, 1, tid);
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
    ASSERT_EQ(sink_.rows.size(), 5u);
    EXPECT_EQ(sink_.rows[0].lane, "kvm.host.pio");
    EXPECT_NE(sink_.rows[1].lane, sink_.rows[2].lane);
    EXPECT_EQ(sink_.rows[4].lane, sink_.rows[3].lane);
    EXPECT_EQ(sink_.rows[4].lane, sink_.rows[1].lane);
}

TEST_F(TranslatorTest, AGuestsMarkersStandOnTheChannelThatTheirVirtualCpuNamed) {
    give_out(10, 0x5a8, 3, 500);
    give_out(11, 0x5ac, 42, 500);
    give_out(12, 0x5a0, 0x534c4106, 501);  // another one, which said nothing
    give_out(13, 0x5a0, 0x534c4106, 500);
    give_out(14, 0x5a0, 0x534c4106, 500);  // what was said was for one marker
    std::vector<RecordingLanes::Row> marks;
    for (const auto& row : sink_.rows) {
        if (row.lane.find(".guest") != std::string::npos) marks.push_back(row);
    }
    ASSERT_EQ(marks.size(), 3u);
    EXPECT_TRUE(marks[0].lane.ends_with(".guest")) << marks[0].lane;
    EXPECT_EQ(marks[0].code, SLA_CODE_TICK);
    EXPECT_TRUE(marks[1].lane.ends_with(".guest.3")) << marks[1].lane;
    EXPECT_EQ(marks[1].code, SLA_CODE_VALUE_UNSIGNED);
    EXPECT_EQ(marks[1].value, 42);
    EXPECT_TRUE(marks[2].lane.ends_with(".guest")) << marks[2].lane;
}

TEST_F(TranslatorTest, AGuestThatNamesChannelsWithoutEndTakesNoNamesFromOthers) {
    for (std::uint32_t channel = 0; channel < 5000; channel++) {
        give_out(10, 0x5a8, channel, 500);
        give_out(11, 0x5a0, 0x534c4101, 500);
    }
    std::set<std::string> lanes;
    std::size_t marks = 0;
    for (const auto& row : sink_.rows) {
        if (row.lane.find(".guest.") == std::string::npos) continue;
        lanes.insert(row.lane.substr(row.lane.rfind('.') + 1));
        marks++;
    }
    EXPECT_EQ(marks, 5000u);
    EXPECT_LE(lanes.size(), 513u);
    EXPECT_TRUE(lanes.contains("0"));
    EXPECT_TRUE(lanes.contains("others"));
}

TEST_F(TranslatorTest, AnExitIsASpanUntilTheNextEntry) {
    give(10, event_data(41, 500, std::uint32_t{12}, std::uint32_t{0}, std::uint64_t{0xfff0}, std::uint32_t{1}));
    give(30, event_data(42, 500, std::uint32_t{0}, std::uint32_t{0}, std::uint64_t{0xfff1}));
    give(40, event_data(42, 500, std::uint32_t{0}, std::uint32_t{0}, std::uint64_t{0xfff2}));
    ASSERT_EQ(sink_.rows.size(), 2u);
    EXPECT_TRUE(sink_.rows[0].lane.ends_with(".exit.hlt")) << sink_.rows[0].lane;
    EXPECT_EQ(sink_.rows[1].lane, sink_.rows[0].lane);
    EXPECT_EQ(sink_.rows[1].value, 0xfff1);
}

TEST_F(TranslatorTest, ALossIsCountedOnItsCpuAndCutsWhatWasOpen) {
    give(10, event_data(20, 77, std::int64_t{110}, std::uint64_t{0}));
    give_loss(15, 60, 42);
    std::uint64_t counted = 0;
    bool cut = false;
    for (const auto& row : sink_.rows) {
        if (row.code != SLA_CODE_GAP) continue;
        counted += static_cast<std::uint64_t>(row.value);
        cut |= row.lane == "linux.syscall.getppid" && row.value == 0 && row.thread == "task-77";
        EXPECT_TRUE(row.value == 0 || row.lane == "linux.cpu.0") << row.lane;
        EXPECT_EQ(row.extra.until_tick, 60u);
    }
    EXPECT_EQ(counted, 42u);
    EXPECT_TRUE(cut);
    EXPECT_EQ(sink_.notices.size(), 1u);
}

TEST_F(TranslatorTest, BeginsWhoseEndsAreNotTracedAreNotRememberedForEver) {
    for (int i = 0; i < 1000; i++) give(10, event_data(12, 1, std::uint32_t{1}));  // softirq_entry, and never an exit
    give_loss(15, 60, 42);
    const auto cuts = std::count_if(sink_.rows.begin(), sink_.rows.end(), [](const auto& row) {
        return row.code == SLA_CODE_GAP && row.lane == "linux.softirq.TIMER";
    });
    EXPECT_EQ(static_cast<std::size_t>(cuts), kMaxOpen);
}

TEST_F(TranslatorTest, ATaskWhoseSwitchMayBeAmongTheLostIsNotHeldToRunOn) {
    give_switch(10, "a", 1, 1, "worker", 7, 0);
    give_switch(11, "b", 2, 1, "other", 8, 1);
    give_loss(15, 60, 42, 0);  // of the CPU where worker ran
    give_wakeup(70, "worker", 7);
    give_wakeup(71, "other", 8);  // runs on CPU 1, of which nothing was lost
    const auto of_worker = texts_of("linux.thread.worker");
    ASSERT_EQ(of_worker.size(), 3u);
    EXPECT_EQ(of_worker.front(), ":running");
    EXPECT_EQ(of_worker.back(), ":runnable");
    EXPECT_EQ(texts_of("linux.thread.other"), (std::vector<std::string>{":running"}));
}

TEST_F(TranslatorTest, LossesWithoutANumberAreSettledOnceAndForAll) {
    give_loss(15, 60, std::nullopt);
    EXPECT_EQ(translator_.lost(), 0u);
    translator_.settle(0, 1000, 70);
    translator_.settle(0, 1000, 80);
    translator_.settle(0, 1001, 90);
    EXPECT_EQ(translator_.lost(), 1001u);
}

TEST_F(TranslatorTest, WhatOurOwnThreadsDoIsLeftOutButNotWhatHappensMeanwhile) {
    give(10, event_data(20, getpid(), std::int64_t{110}, std::uint64_t{3}));
    EXPECT_TRUE(sink_.rows.empty());
    give(20, event_data(12, getpid(), std::uint32_t{1}));
    give_switch(30, "us", getpid(), 1, "other", 8);
    EXPECT_EQ(texts_of("linux.cpu.0"), (std::vector<std::string>{":other (8)"}));
    EXPECT_EQ(sink_.rows.front().lane, "linux.softirq.TIMER");
}

TEST_F(TranslatorTest, UnknownAndTruncatedEventsMakeNoRows) {
    give(1, event_data(999, 1));
    give(2, std::vector<std::byte>(4));
    EXPECT_TRUE(sink_.rows.empty());
    for (const std::uint16_t id : {10, 11, 12, 20, 21, 30, 40, 41, 42})
        give(3, event_data(id, 1));  // nothing behind the head
    for (const auto& row : sink_.rows) EXPECT_FALSE(row.lane.empty());
}

}  // namespace
}  // namespace sla::linux
