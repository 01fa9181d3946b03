// Sections while their program runs: spans of a marked one as rows come, those of an emulated PC as it answers.
#include "tests/support/capture_builder.h"
#include "tests/support/fake_guest.h"
#include "tests/support/with_directory.h"
#include "viewer/counters/guest_sections.h"
#include "viewer/counters/marked_section.h"
#include "viewer/counters/process_counts.h"
#include "viewer/store/session.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace sla::counters {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_in(const Result<std::vector<Event>>& events) {
    std::vector<std::string> out;
    for (std::size_t i = 0; events.ok() && i < events->size(); ++i) out.push_back((*events)[i].name());
    return out;
}

TEST(MarkerEvents, AreWhatTheProgramWasSetToOrTheUsualTwo) {
    EXPECT_THAT(names_in(marker_events_in("HOME=/x\0SLA_COUNTERS=page-faults,task-clock\0A=b\0"s)),
                ElementsAre("host:page-faults", "host:task-clock"));
    EXPECT_THAT(names_in(marker_events_in("")), ElementsAre("host:cycles", "host:instructions"));
    EXPECT_THAT(names_in(marker_events_in("XSLA_COUNTERS=page-faults\0SLA_COUNTERS=r1c,cycles"s)),
                ElementsAre("host:r1c", "host:cycles"));
    EXPECT_THAT(names_in(marker_events_in("SLA_COUNTERS=")), ElementsAre("host:cycles", "host:instructions"));
    EXPECT_THAT(names_in(marker_events_in("SLA_COUNTERS=cycles,cycles")), ElementsAre("host:cycles", "host:cycles"));
    for (const std::string bad : {"cycles", "cycles,", "cycles,coffee", ",cycles", "r,cycles", "rxyz,cycles",
                                  "cycles,branches,instructions", "r0x1c2,cycles", "cycles,r-5", "cycles,r+1", "r 1,cycles",
                                  "r11112222333344445,cycles", "host:cycles,instructions", "cycles,migrations", "all"})
        EXPECT_THAT(marker_events_in("SLA_COUNTERS=" + bad).error().message, HasSubstr("was told to count")) << bad;
    EXPECT_THAT(marker_events_of(0x3FFFFFFF).error().message, HasSubstr("is closed to this user"));
}

class MarkedSections : public testing::Test {
protected:
    void begin(std::uint64_t tick, std::uint64_t first, std::uint64_t second) {
        capture_.detail(work_, tick, SLA_CODE_BEGIN_VALUE, first, second, 0);
    }
    void end(std::uint64_t tick, std::uint64_t first, std::uint64_t second) {
        capture_.detail(work_, tick, SLA_CODE_END_VALUE, first, second, 0);
    }
    const store::Lane& lane() {
        capture_.fill(session_);
        return *session_.lane_named("app.work");
    }

    support::CaptureBuilder capture_;
    std::uint32_t work_ = capture_.channel("app.work");
    store::Session session_;
    std::vector<Event> pair_ = parse_events("page-faults,task-clock", World::kHost).value();
    SectionTable table_;
};

TEST_F(MarkedSections, CountEachSpanOnceHoweverTheRowsCome) {
    for (std::uint64_t i = 0; i < 10; ++i) {
        begin(2000 + i * 10, i * 100, i * 1000);
        end(2005 + i * 10, i * 100 + 7, i * 1000 + 500 + i);
    }
    MarkedSection section(pair_);
    const store::Lane& all = lane();
    for (int i = 0; i < 7; ++i) section.take(all, table_, 3);
    const auto faults = table_.total_of("app.work", pair_[0]);
    EXPECT_EQ(faults.n, 10U);
    EXPECT_EQ(faults.sum, 70U);
    EXPECT_EQ(table_.total_of("app.work", pair_[1]).sum, 5045U);
    section.take(all, table_, 1000);
    EXPECT_EQ(table_.total_of("app.work", pair_[0]).n, 10U);
    EXPECT_EQ(table_.total_of("app.else", pair_[0]).n, 0U);
}

TEST_F(MarkedSections, LeaveOutSpansWithoutCountersAndThoseThatLostAnEnd) {
    capture_.begin(work_, 2000);  // no counters there
    end(2001, 5, 5);
    begin(2002, 1, 1);
    capture_.gap(work_, 2003, 4);
    end(2004, 9, 9);
    begin(2005, 10, 10);
    end(2006, 13, 10);
    MarkedSection(pair_).take(lane(), table_, 1000);
    EXPECT_EQ(table_.total_of("app.work", pair_[0]).n, 1U);
    EXPECT_EQ(table_.total_of("app.work", pair_[0]).sum, 3U);
    EXPECT_THAT(table_.rows().front().note, HasSubstr("2 without counters at both ends, or lost"));
}

TEST_F(MarkedSections, ThatHaveNotEndedWithTheProgramAreNoted) {
    begin(2000, 1, 1);
    end(2001, 2, 2);
    begin(2002, 3, 3);
    MarkedSection section(pair_);
    section.take(lane(), table_, 1000);
    EXPECT_EQ(table_.rows().front().note, "") << "it may still end";
    section.finish(table_);
    EXPECT_EQ(table_.rows().front().note, "1 had not ended");
}

TEST_F(MarkedSections, LeaveOutWhatALossOfAnyThreadMayHaveEnded) {
    begin(2000, 1, 1);
    capture_.gap(work_, 2001, 4, wire::LossCause::kLagged, 2020, 0);  // nobody knows whose: its end may be among them
    end(2004, 9, 9);
    begin(2010, 20, 20);  // and so may this one's
    end(2030, 29, 29);
    begin(2040, 40, 40);
    end(2041, 43, 40);
    MarkedSection(pair_).take(lane(), table_, 1000);
    EXPECT_EQ(table_.total_of("app.work", pair_[0]).n, 1U);
    EXPECT_EQ(table_.total_of("app.work", pair_[0]).sum, 3U);
    EXPECT_THAT(table_.rows().front().note, HasSubstr("2 without counters at both ends, or lost"));
}

TEST_F(MarkedSections, GoOnBehindTheLastRowInALaneThatHasOlderOnesToo) {
    begin(2000, 0, 0);
    end(2001, 1, 0);
    store::Session newer;
    {
        support::CaptureBuilder part;
        const auto work = part.channel("app.work");
        part.detail(work, 2000, SLA_CODE_BEGIN_VALUE, 0, 0, 0);
        part.detail(work, 2001, SLA_CODE_END_VALUE, 1, 0, 0);
        part.fill(newer);
    }
    MarkedSection section(pair_);
    section.take(*newer.lane_named("app.work"), table_, 1000);
    for (std::uint64_t i = 0; i < 5; ++i) {
        begin(1100 + i * 10, 0, 0);
        end(1105 + i * 10, 100, 0);
    }
    begin(2100, 0, 0);
    end(2101, 2, 0);
    section.take(lane(), table_, 1000);
    EXPECT_EQ(table_.total_of("app.work", pair_[0]).n, 2U);
    EXPECT_EQ(table_.total_of("app.work", pair_[0]).sum, 3U);
}

TEST(EmptySections, StandBesideTheOthers) {
    EXPECT_EQ(empty_beside("guest.work"), "guest.empty");
    EXPECT_EQ(empty_beside("work"), "empty");
    EXPECT_EQ(empty_beside("app.disk.read"), "app.disk.empty");
    EXPECT_EQ(empty_beside("guest.empty"), "");
    EXPECT_EQ(empty_beside("empty"), "");
}

class GuestSections : public support::WithDirectory {
protected:
    void SetUp() override { setenv("SLA_RUNTIME_DIR", file("").c_str(), 1); }
    void TearDown() override { unsetenv("SLA_RUNTIME_DIR"); }
};

TEST_F(GuestSections, AreAskedForWithTheirEmptyOneAndTheChosenEvents) {
    support::FakeGuest pc(4243, [](const std::string& command) -> std::string {
        if (command != "section guest.work,guest.empty 16,1D")
            return command == "section none guest.work,guest.empty" ? "" : "error: what?";
        return R"({"cpu": "x86emu", "events": {"16": "exact", "1D": "exact"}, "sections": [
            {"name": "program", "unfinished": 0, "events": {"16": {"values": [[5000, 1]]}}},
            {"name": "guest.empty", "unfinished": 0, "events": {"16": {"values": [[10, 5]]}, "1D": {"values": [[1, 5]]}}},
            {"name": "guest.work", "unfinished": 1, "events": {"16": {"values": [[36, 4], [46, 1]]}, "1D": {"values": [[3, 5]]}}}]})";
    });
    auto guest = GuestControl::connect(4243);
    ASSERT_TRUE(guest.ok()) << guest.error().message;
    const auto events = parse_events("pentium:16,pentium:1D,host:page-faults", World::kHost).value();
    const auto table = ask_guest_section(*guest, "guest.work", events);
    ASSERT_TRUE(table.ok()) << table.error().message;
    EXPECT_EQ(table->total_of("guest.work", events[0]).sum, 4U * 36 + 46);
    for (const Row& row : table->rows()) {
        if (row.section != "guest.work" || row.event != "pentium:instructions") continue;
        EXPECT_EQ(row.numbers.median, 26);
        EXPECT_EQ(row.subtracted, 10);
    }
    forget_guest_section(*guest, "guest.work");
    EXPECT_EQ(pc.commands().back(), "section none guest.work,guest.empty");
    const auto none = ask_guest_section(*guest, "guest.work", parse_events("host:page-faults", World::kHost).value());
    EXPECT_THAT(none.error().message, HasSubstr("choose some of those"));
    EXPECT_FALSE(ask_guest_section(*guest, "two words", events).ok());
    EXPECT_THAT(ask_guest_section(*guest, "guest.other", events).error().message, HasSubstr("what?"));
}

// Some CPUs count instructions only where somebody asks for all, and some events never.
TEST_F(GuestSections, WhatAPcDoesNotCountUnaskedIsAskedForAndWhatItNeverCountsIsSaid) {
    support::FakeGuest pc(getpid(), [](const std::string& command) -> std::string {
        return command == "counts all" ? "16 exact 7\n1D exact 5\n" : "1D exact 5\n";
    });
    const auto open = [](const char* events) {
        return ProcessCounts::open(getpid(), parse_events(events, World::kPentium).value(), Privilege::kBoth,
                                   ProcessCounts::Guest::kIsThere);
    };
    auto cheap = open("1D");
    ASSERT_TRUE(cheap.ok()) << cheap.error().message;
    EXPECT_THAT(cheap->read().value(), ElementsAre(std::optional(Reading{5})));
    EXPECT_THAT(pc.commands(), ElementsAre("counts")) << "models are not begun for nothing";
    auto dear = open("16,1D");
    EXPECT_EQ(dear->read().value().front(), std::optional(Reading{7}));
    EXPECT_EQ(dear->not_counted(), "");
    auto more = open("16,data-read");
    EXPECT_EQ(more->read().value().back(), std::nullopt);
    EXPECT_THAT(more->not_counted(), HasSubstr("does not count pentium:data-read; --cpu x86emu does"));
}

TEST_F(GuestSections, APcThatDoesNotAnswerIsWaitedForUntilThatIsCancelled) {
    std::atomic<bool> is_asked = false;
    std::atomic<bool> is_over = false;
    support::FakeGuest pc(getpid(), [&](const std::string&) -> std::string {
        is_asked = true;
        while (!is_over) std::this_thread::yield();
        return "";
    });
    auto counts = ProcessCounts::open(getpid(), parse_events("pentium:16", World::kHost).value(), Privilege::kBoth,
                                      ProcessCounts::Guest::kIsThere);
    ASSERT_TRUE(counts.ok()) << counts.error().message;
    counts->wait_unless([&] { return is_asked.load(); });
    const auto read = counts->read();
    is_over = true;
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->front(), std::nullopt);
}

}  // namespace
}  // namespace sla::counters
