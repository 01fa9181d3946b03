#include "emu/pmc/counters.h"

#include "emu/pmc/events.h"
#include "emu/pmc/pentium.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace sla::pmc {
namespace {

struct Seen final : CounterObserver {
    void pin(unsigned counter, std::uint64_t by, std::uint64_t value) override {
        pins.emplace_back(counter, by);
        values.push_back(value);
    }
    void overflow() override { ++overflows; }
    void not_offered(const std::string& what) override { notes.push_back(what); }
    unsigned overflows = 0;
    std::vector<std::pair<unsigned, std::uint64_t>> pins;
    std::vector<std::uint64_t> values;
    std::vector<std::string> notes;
};

constexpr std::uint64_t kInstructionsRing012 = 0x56;
constexpr std::uint64_t kInstructionsRing3 = 0x96;

TEST(Counters, CountOnlyInTheRingsTheyAreToldTo) {
    Seen seen;
    Counters counters(seen);
    cpu::EventCounts counts;
    const P5Counts modelled;
    const Tally tally{counts, modelled};
    counters.write_cesr(kInstructionsRing012 | kInstructionsRing3 << 16, &tally);
    counts.instructions = 10;
    counters.update(&tally, 0);
    counts.instructions = 13;
    counters.update(&tally, 3);
    EXPECT_EQ(counters.read(0), 10U);
    EXPECT_EQ(counters.read(1), 3U);
}

TEST(Counters, AreFortyBitsWideAndSignalAnOverflowOnce) {
    Seen seen;
    Counters counters(seen);
    cpu::EventCounts counts;
    const P5Counts modelled;
    const Tally tally{counts, modelled};
    counters.write(0, ~std::uint64_t{0});
    EXPECT_EQ(counters.read(0), Counters::kMask);
    counters.write_cesr(kInstructionsRing012 | 0x200, &tally);
    counts.instructions = 1;
    counters.update(&tally, 0);
    counts.instructions = 5;
    counters.update(&tally, 0);
    EXPECT_EQ(counters.read(0), 4U);
    ASSERT_EQ(seen.pins.size(), 1U);
    EXPECT_EQ(seen.values[0], 0U) << "what it holds then";
    EXPECT_EQ(seen.pins[0], (std::pair<unsigned, std::uint64_t>{0, 1}));
    EXPECT_EQ(seen.overflows, 1U);
}

TEST(Counters, KeepReservedBitsAndStandStillForWhatIsNotOffered) {
    Seen seen;
    Counters counters(seen);
    cpu::EventCounts counts;
    const P5Counts modelled;
    const Tally tally{counts, modelled};
    counters.write_cesr(0xFC00FC00 | 0x47, &tally);  // external snoops
    EXPECT_EQ(counters.cesr(), 0xFC00FC47U);
    EXPECT_FALSE(counters.active());
    counters.write_cesr(kInstructionsRing012 | 0x100, &tally);  // clocks
    EXPECT_FALSE(counters.active());
    counters.write_cesr(kInstructionsRing012, nullptr);  // a CPU that does not count
    EXPECT_FALSE(counters.active());
    EXPECT_EQ(seen.notes.size(), 3U);
}

TEST(Counters, CountWhatTheModelsDoAndSayThatTheyNeedThem) {
    Seen seen;
    Counters counters(seen);
    const cpu::EventCounts counts;
    P5Counts modelled;
    const Tally tally{counts, modelled};
    counters.write_cesr(0x40 | 0x03, &tally);  // data read misses
    EXPECT_TRUE(counters.needs_models());
    modelled.data_read_misses = 7;
    counters.update(&tally, 0);
    EXPECT_EQ(counters.read(0), 7U);
    counters.write_cesr(kInstructionsRing012, &tally);
    EXPECT_FALSE(counters.needs_models());
}

TEST(Events, AreTheFortyTwoOfThePentiumAndThoseOfferedHaveACount) {
    ASSERT_EQ(events().size(), 42U);
    const cpu::EventCounts counts;
    const P5Counts modelled;
    for (std::size_t i = 0; i < events().size(); ++i) {
        EXPECT_EQ(events()[i].select, i);
        EXPECT_EQ(count_of(events()[i].select, {counts, modelled}).has_value(), events()[i].offer != Offer::kNotOffered)
            << events()[i].name;
    }
    EXPECT_EQ(find_event(0x2A), nullptr);
}

TEST(Events, OfACpuThatCountsBlocksAreThoseThatFollowFromCodePortsAndInterrupts) {
    Seen seen;
    Counters counters(seen);
    cpu::EventCounts counts;
    const P5Counts modelled;
    const Tally tally{counts, modelled, cpu::Counting::kBlocks};
    for (const Event& event : events()) {
        const bool wanted = std::set<int>{0x0C, 0x0F, 0x12, 0x16, 0x1C, 0x1D, 0x27}.contains(event.select);
        EXPECT_EQ(count_of(event.select, tally).has_value(), wanted) << event.name;
    }
    counters.write_cesr(0x5D, &tally);
    counts.port_accesses = 4;
    counters.update(&tally, 0);
    EXPECT_EQ(counters.read(0), 4U);
    EXPECT_FALSE(counters.needs_code()) << "an access to a port is told without";
    counters.write_cesr(kInstructionsRing012, &tally);
    EXPECT_TRUE(counters.needs_code());
    constexpr std::uint64_t kDataReads = 0x40;
    counters.write_cesr(kDataReads, &tally);
    EXPECT_FALSE(counters.active());
    ASSERT_EQ(seen.notes.size(), 1U);
    EXPECT_NE(seen.notes[0].find("x86emu counts"), std::string::npos);
}

TEST(Pentium, SaysWhoItIs) {
    const auto vendor = cpuid(0);
    EXPECT_EQ(vendor.ebx, 0x756E6547U);
    EXPECT_EQ(cpuid(1).eax >> 8 & 15, 5U) << "family";
    EXPECT_EQ(ticks_at(1'000'000'000), 200'000'000U);
}

}  // namespace
}  // namespace sla::pmc
