// Events by name, summaries of counts, sections and their empty one, what sla-emu writes.
#include "viewer/counters/counts_file.h"
#include "viewer/counters/event.h"
#include "viewer/counters/guest_control.h"
#include "viewer/counters/host_counters.h"
#include "viewer/counters/intervals.h"
#include "viewer/counters/section_table.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <algorithm>

namespace sla::counters {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const std::vector<Event>& events) {
    std::vector<std::string> out;
    for (const Event& event : events) out.push_back(event.name());
    return out;
}

Event pentium(const char* word) {
    return parse_events(word, World::kPentium).value().front();
}

const Row& row_of(const std::vector<Row>& rows, const std::string& section, const std::string& event) {
    static const Row kNone;
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.section == section && row.event == event; });
    EXPECT_NE(found, rows.end()) << section << " " << event;
    return found == rows.end() ? kNone : *found;
}

TEST(CounterEvents, GoByNumberOrWordInOneOfTwoWorlds) {
    const auto events = parse_events("pentium:16,host:page-faults,1Dh,data-read,0x28", World::kPentium);
    ASSERT_TRUE(events.ok());
    EXPECT_THAT(names_of(*events), ElementsAre("pentium:instructions", "host:page-faults", "pentium:port-accesses",
                                               "pentium:data-read", "pentium:data-accesses"));
    EXPECT_THAT(names_of(parse_events("instructions,pentium:instructions,instructions", World::kHost).value()),
                ElementsAre("host:instructions", "pentium:instructions"))
        << "each once, a bare word in the usual world";
}

TEST(CounterEvents, AllAreFortyTwoInThePentiumAndEachIsFoundByItsOwnName) {
    const auto all = parse_events("all", World::kPentium).value();
    ASSERT_EQ(all.size(), 42U);
    for (const World world : {World::kPentium, World::kHost}) {
        for (const Event& event : events_of(world)) {
            EXPECT_THAT(names_of(parse_events(event.name(), World::kHost).value()), ElementsAre(event.name()));
        }
    }
}

TEST(CounterEvents, ThatAreNotThereAreRefusedByName) {
    for (const char* bad : {"", ",", "host:", "pentium:2A", "pentium:r16", "host:rxyz", "host:r", "nonsense",
                            "instructions,", "host:r10000000000000000", "pentium:016h16", "PENTIUM:16"}) {
        const auto events = parse_events(bad, World::kHost);
        ASSERT_FALSE(events.ok()) << bad;
        EXPECT_THAT(events.error().message, HasSubstr("sla counters list")) << bad;
    }
}

TEST(CounterEvents, OfTheOtherWorldAreNamedWithIt) {
    EXPECT_THAT(parse_events("page-faults", World::kPentium).error().message, HasSubstr("do you mean host:page-faults?"));
    EXPECT_THAT(parse_events("host:data-read", World::kHost).error().message, HasSubstr("do you mean pentium:data-read?"));
}

TEST(Summaries, CullWhatIsFarAboveAndGiveTheRestExactly) {
    const Summary same = summary_of({{40, 10}});
    EXPECT_EQ(same.n, 10U);
    EXPECT_EQ(same.culled, 0U);
    EXPECT_EQ(same.mean, 40);
    EXPECT_EQ(same.spread, 0);
    const Summary disturbed = summary_of({{40, 6}, {42, 3}, {46, 1}, {47, 1}, {900, 1}});
    EXPECT_EQ(disturbed.n, 12U);
    EXPECT_EQ(disturbed.culled, 1U) << "beyond 42 + 3 * 2";
    EXPECT_EQ(disturbed.min, 40);
    EXPECT_EQ(disturbed.median, 40);
    EXPECT_EQ(disturbed.max, 47);
    EXPECT_DOUBLE_EQ(disturbed.mean, (6 * 40 + 3 * 42 + 46 + 47) / 11.0);
    EXPECT_EQ(summary_of({}).n, 0U);
    EXPECT_EQ(summary_of({{~0ULL, 3}, {0, 1}}).max, 18446744073709551615.0) << "no overflow on the way";
}

TEST(SectionTables, SubtractTheEmptySectionFromOthersButNotFromTheProgram) {
    SectionTable table;
    const Event instructions = pentium("instructions");
    table.add("program", instructions, 1000);
    table.add("guest.empty", instructions, 10, 5);
    table.add("guest.work", instructions, 36, 5);
    const auto rows = table.rows();
    EXPECT_EQ(row_of(rows, "program", "pentium:instructions").numbers.mean, 1000);
    EXPECT_EQ(row_of(rows, "guest.empty", "pentium:instructions").numbers.mean, 10);
    const Row& work = row_of(rows, "guest.work", "pentium:instructions");
    EXPECT_EQ(work.numbers.mean, 26);
    EXPECT_EQ(work.numbers.median, 26);
    EXPECT_EQ(work.subtracted, 10);
    EXPECT_EQ(work.numbers.n, 5U);
}

TEST(SectionTables, SubtractAGuestsEmptySectionOnlyWhereItsMarkersAre) {
    SectionTable table;
    const Event instructions = pentium("instructions");
    for (const char* section : {"f000:f10c..f000:f116", "irq.0.isr", "guest.work"}) table.add(section, instructions, 2001);
    table.add("guest.empty", instructions, 10);
    const auto rows = table.rows();
    EXPECT_EQ(row_of(rows, "f000:f10c..f000:f116", "pentium:instructions").numbers.mean, 2001);
    EXPECT_FALSE(row_of(rows, "irq.0.isr", "pentium:instructions").subtracted);
    EXPECT_EQ(row_of(rows, "guest.work", "pentium:instructions").numbers.mean, 1991);
}

TEST(SectionTables, InBriefReportOnceWhatNoSectionCounted) {
    SectionTable table;
    table.describe(pentium("external-snoops"), "not offered", "why");
    table.add("program", pentium("instructions"), 7);
    table.add("guest.work", pentium("instructions"), 3);
    EXPECT_EQ(table.rows().size(), 4U);
    const auto rows = table.rows(true);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows.back().section, "program");
    EXPECT_EQ(rows.back().event, "pentium:external-snoops");
    EXPECT_EQ(rows.back().how, "not offered");
    EXPECT_EQ(rows.back().note, "why");
}

TEST(SectionTables, WithoutASectionStillSayWhyNothingWasCounted) {
    SectionTable table;
    table.describe(pentium("instructions"), "not present", "why");
    const auto rows = table.rows();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].how, "not present");
    EXPECT_EQ(rows[0].note, "why");
}

TEST(SectionTables, SayOfAllRunsTogetherWhatWasNotCounted) {
    SectionTable table;
    const Event instructions = pentium("instructions");
    for (const std::uint64_t unfinished : {2, 1, 0}) {
        table.add("guest.work", instructions, 3);
        table.missed("guest.work", instructions, unfinished, "had not ended");
    }
    table.missed("guest.lost", instructions, 4, "lost");
    const auto rows = table.rows();
    EXPECT_EQ(row_of(rows, "guest.work", "pentium:instructions").note, "3 had not ended");
    EXPECT_EQ(row_of(rows, "guest.lost", "pentium:instructions").numbers.n, 0U);
    EXPECT_EQ(table.missed_of("guest.lost"), "4 lost");
    EXPECT_EQ(table.missed_of("nobody"), "");
}

TEST(SectionTables, ReportTheRatiosThatPeopleRead) {
    SectionTable table;
    table.add("program", pentium("instructions"), 1000);
    table.add("program", pentium("v-pipe"), 250);
    table.add("program", pentium("data-misses"), 20);
    const auto rows = table.rows();
    EXPECT_EQ(row_of(rows, "program", "pentium:pairing").numbers.mean, 0.25);
    EXPECT_EQ(row_of(rows, "program", "pentium:data-mpki").numbers.mean, 20);
    for (const Row& row : rows) EXPECT_NE(row.event, "pentium:flush-rate") << "branches were not counted";
}

constexpr const char* kCounts = R"({"format": "sla-emu counts 1", "cpu": "unicorn", "events":
    {"16": "not offered", "1D": "exact", "07": "not offered"},
    "sections": [{"name": "program", "ended": 1, "unfinished": 0, "events": {"1D": {"grain": 1, "values": [[7, 1]]}}},
                 {"name": "irq.0.isr", "ended": 3, "unfinished": 1, "events": {"1D": {"grain": 1, "values": [[1, 2], [2, 1]]}}}]})";

TEST(CountsFiles, BecomeRowsThatSayHowWellTheyAreKnown) {
    SectionTable table;
    ASSERT_TRUE(add_counts(kCounts, parse_events("16,1D,07", World::kPentium).value(), table).ok());
    const auto rows = table.rows();
    EXPECT_EQ(row_of(rows, "program", "pentium:port-accesses").numbers.mean, 7);
    EXPECT_EQ(row_of(rows, "irq.0.isr", "pentium:port-accesses").numbers.n, 3U);
    EXPECT_THAT(row_of(rows, "irq.0.isr", "pentium:port-accesses").note, HasSubstr("1 had not ended"));
    const Row& instructions = row_of(rows, "program", "pentium:instructions");
    EXPECT_EQ(instructions.how, "not offered");
    EXPECT_EQ(instructions.numbers.n, 0U);
    EXPECT_THAT(instructions.note, HasSubstr("--cpu x86emu"));
    EXPECT_EQ(row_of(rows, "program", "pentium:external-snoops").note, "") << "no CPU counts it";
}

TEST(CountsFiles, OfTooManyDifferentNumbersSayHowTheyAreRounded) {
    SectionTable table;
    const std::string counts = R"({"cpu": "x86emu", "events": {"1D": "exact", "0D": "modelled"}, "sections":
        [{"name": "irq.0.isr", "ended": 3, "unfinished": 0, "events":
            {"1D": {"grain": 4, "cut_off": 5, "values": [[8, 2], [4, 1]]}, "0D": {"grain": 2, "cut_off": 0, "values": [[8, 1]]}}}]})";
    const auto events = parse_events("1D,0D", World::kPentium).value();
    for (int run = 0; run < 2; ++run) ASSERT_TRUE(add_counts(counts, events, table).ok());
    const auto rows = table.rows();
    const Row& ports = row_of(rows, "irq.0.isr", "pentium:port-accesses");
    EXPECT_EQ(ports.how, "rounded");
    EXPECT_THAT(ports.note, HasSubstr("multiples of 4"));
    EXPECT_EQ(table.total_of("irq.0.isr", events[0]).sum, 2U * (8 + 8 + 4 + 5)) << "of all together nothing is missing";
    EXPECT_EQ(row_of(rows, "irq.0.isr", "pentium:code-tlb-miss").how, "modelled");
    EXPECT_THAT(row_of(rows, "irq.0.isr", "pentium:code-tlb-miss").note, HasSubstr("multiples of 2"));
}

TEST(CountsFiles, ThatAreCutOffOrWrongAreRefused) {
    const std::string good = kCounts;
    const auto events = parse_events("1D", World::kPentium).value();
    for (std::size_t length = 0; length < good.size(); ++length) {
        SectionTable table;
        EXPECT_FALSE(add_counts(good.substr(0, length), events, table).ok()) << length;
    }
    for (
        const char* bad :
        {"[]", "{}", R"({"cpu": 1, "events": {}, "sections": []})", R"({"cpu": "x", "events": {"1D": 3}, "sections": []})",
         R"({"cpu": "x", "events": {"1D": "exact"}, "sections": [3]})",
         R"({"cpu": "x", "events": {"1D": "exact"}, "sections": [{"name": "a", "unfinished": 0, "events": {"1D": {"values": [[-1, 1]]}}}]})",
         R"({"cpu": "x", "events": {"1D": "exact"}, "sections": [{"name": "a", "unfinished": 0, "events": {"1D": {"values": [[1]]}}}]})"}) {
        SectionTable table;
        EXPECT_FALSE(add_counts(bad, events, table).ok()) << bad;
    }
}

TEST(GuestCounts, AreReadFromTheAnswerOfARunningPc) {
    const auto counts = parse_guest_counts("00 exact 12\n1D exact 18446744073709551615\n29 modelled 0\n");
    ASSERT_TRUE(counts.ok()) << counts.error().message;
    EXPECT_EQ(*counts, (GuestCounts{{0, 12}, {0x1D, ~0ULL}, {0x29, 0}}));
    EXPECT_TRUE(parse_guest_counts("").value().empty()) << "a CPU that counts nothing";
    for (const char* bad : {"\n", "00", "00 exact", "00 exact 12", "00 exact x\n", "zz exact 1\n", "40 exact 1\n", "00 1\n",
                            "00 exact 18446744073709551616\n", "00 exact -1\n", "00 exact 1\nrubbish"}) {
        EXPECT_FALSE(parse_guest_counts(bad).ok()) << bad;
    }
}

TEST(HostCounters, CountThisProcessPageByPageOrSayWhyNot) {
    const auto events = parse_events("host:minor-faults", World::kHost).value();
    const std::string absence = absence_of(events.front(), Privilege::kUser);
    if (!absence.empty()) GTEST_SKIP() << absence;
    auto counters = HostCounters::open(events, getpid(), Privilege::kUser);
    ASSERT_TRUE(counters.ok()) << counters.error().message;
    constexpr std::size_t kPage = 4096, kPages = 300;
    const std::uint64_t before = counters->read().value()[0].counted;
    std::vector<char> memory;
    memory.reserve(kPages * kPage);
    for (std::size_t i = 0; i < kPages; ++i) {
        volatile char* page = memory.data() + i * kPage;
        *page = 1;
    }
    const std::uint64_t after = counters->read().value()[0].counted;
    EXPECT_GE(after - before, kPages - 1) << "each page is touched for the first time";
}

Reading reading(std::uint64_t counted, std::uint64_t wanted_ns, std::uint64_t counting_ns) {
    return {counted, wanted_ns, counting_ns};
}

// The first quarter of a run has 1000 at once and nothing afterwards: estimates since the beginning would fall.
TEST(Intervals, OfACounterThatSharesTheProcessorAreEstimatesByThemselves) {
    Intervals intervals({reading(0, 0, 0), reading(0, 0, 0)});
    const IntervalCounts first = intervals.next({reading(1000, 100, 50), reading(7, 100, 100)});
    EXPECT_EQ(first.counts, (EventCounts{2000, 7}));
    EXPECT_EQ(first.estimates, std::vector<std::size_t>{0});
    const IntervalCounts idle = intervals.next({reading(1000, 400, 350), reading(9, 400, 400)});
    EXPECT_EQ(idle.counts, (EventCounts{0, 2}));
    EXPECT_TRUE(idle.estimates.empty()) << "it had the processor for all of this one";
    EXPECT_EQ(intervals.next({reading(1040, 500, 370), reading(9, 500, 500)}).counts, (EventCounts{200, 0}));
}

TEST(Intervals, LeaveWhatNeverHadItsTurnOrIsNotKnownToALaterOne) {
    Intervals intervals({reading(0, 0, 0), std::nullopt, reading(5, 0, 0)});
    const IntervalCounts none = intervals.next({reading(0, 100, 0), reading(3, 0, 0), std::nullopt});
    EXPECT_EQ(none.counts, (EventCounts{std::nullopt, std::nullopt, std::nullopt}));
    EXPECT_TRUE(none.estimates.empty());
    const IntervalCounts later = intervals.next({reading(10, 200, 100), reading(4, 0, 0), reading(8, 0, 0)});
    EXPECT_EQ(later.counts, (EventCounts{20, 1, 3}));
    EXPECT_EQ(later.estimates, std::vector<std::size_t>{0});
}

TEST(HostCounters, OfAProcessThatIsNotThereAreAnError) {
    const auto events = parse_events("host:page-faults", World::kHost).value();
    const auto counters = HostCounters::open(events, 0x3FFFFFFF, Privilege::kUser);
    ASSERT_FALSE(counters.ok());
    EXPECT_THAT(counters.error().message, HasSubstr("no process"));
}

}  // namespace
}  // namespace sla::counters
