// The demonstration guest counts what it does; the tap must have seen exactly that.
#include "emu/guest/demo_guest.h"

#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>
#include <xxhash.h>

#include <map>
#include <sstream>

namespace sla::vmm {
namespace {

constexpr std::uint64_t kOut = 1U << 18;
constexpr std::uint64_t kWord = 1U << 16;

std::map<std::string, std::uint64_t> counts_in(const std::string& text) {
    std::map<std::string, std::uint64_t> counts;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        if (equals == std::string::npos) continue;
        counts[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
    }
    return counts;
}

bool is_port(const tap::RecordingSink::Event& event) {
    return event.channel.starts_with("port.");
}
bool is_out(const tap::RecordingSink::Event& event) {
    return is_port(event) && (event.detail[0] & kOut) != 0;
}

// Of kind, channel, value and virtual time; never of the host's ticks.
std::uint64_t hash_of(const tap::RecordingSink& seen) {
    std::string bytes;
    for (const auto& event : seen.events) {
        bytes += event.channel;
        bytes.append(reinterpret_cast<const char*>(&event.code), sizeof event.code);
        bytes.append(reinterpret_cast<const char*>(&event.value), sizeof event.value);
        bytes.append(reinterpret_cast<const char*>(event.detail), sizeof event.detail);
        bytes.append(reinterpret_cast<const char*>(&event.time), sizeof event.time);
    }
    return XXH3_64bits(bytes.data(), bytes.size());
}

TEST(DemoGuest, IsSeenToDoExactlyWhatItCounts) {
    TestPc pc(guest::demo_guest(1000));
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 0);

    auto counts = counts_in(pc.text);
    ASSERT_EQ(counts.size(), 12U) << pc.text;
    const auto& seen = pc.seen;
    const auto count_if = [&](auto condition) {
        return static_cast<std::uint64_t>(std::count_if(seen.events.begin(), seen.events.end(), condition));
    };
    EXPECT_EQ(counts["irq0"], 1000U);
    EXPECT_EQ(seen.count("irq.0.isr", SLA_CODE_BEGIN), counts["irq0"]);
    EXPECT_EQ(seen.count("irq.0.isr", SLA_CODE_END), counts["irq0"]);
    EXPECT_EQ(seen.count("int.21h", SLA_CODE_TICK_VALUE), counts["int21"]);
    EXPECT_EQ(seen.count("int.40h", SLA_CODE_TICK_VALUE), counts["int40"]);
    EXPECT_EQ(seen.count("exc.00", SLA_CODE_TICK_VALUE), counts["de"]);
    EXPECT_EQ(seen.count("cpu.hlt", SLA_CODE_BEGIN), counts["hlt"]);
    EXPECT_EQ(seen.count("cpu.hlt", SLA_CODE_END), counts["hlt"]);
    EXPECT_EQ(count_if([](const auto& e) { return e.channel == "port.post" && (e.detail[0] & kWord) == 0; }),
              counts["out80"]);
    EXPECT_EQ(count_if([](const auto& e) { return e.channel == "port.post" && (e.detail[0] & kWord) != 0; }),
              counts["out80w"]);
    EXPECT_EQ(count_if([](const auto& e) { return is_port(e) && !is_out(e); }), counts["in"]);
    EXPECT_EQ(count_if([](const auto& e) { return is_out(e) && e.channel != "port.debug" && e.channel != "port.exit"; }),
              counts["out"]);
    EXPECT_EQ(counts["spurious"] + counts["unexpected"], 0U);

    std::uint64_t sum = 0;
    for (const auto& event : seen.of("int.21h")) sum += event.value;
    EXPECT_EQ(sum, counts["sum21"]) << "the AX of every INT 21h";
    std::string text;
    for (const auto& event : seen.of("port.debug")) text += static_cast<char>(event.value);
    EXPECT_EQ(text, pc.text);
}

TEST(DemoGuest, HasLevelsThatAlternateAndSpansThatNest) {
    TestPc pc(guest::demo_guest(100));
    pc.run();
    std::uint64_t level = 0;
    ASSERT_GE(pc.seen.of("irq.0").size(), 100U);
    for (const auto& event : pc.seen.of("irq.0")) {
        ASSERT_EQ(event.code, SLA_CODE_LEVEL);
        ASSERT_NE(event.value, level);
        level = event.value;
    }
    for (const char* channel : {"irq.0.isr", "cpu.hlt"}) {
        bool open = false;
        ASSERT_GE(pc.seen.of(channel).size(), 100U) << channel;
        for (const auto& event : pc.seen.of(channel)) {
            ASSERT_EQ(event.code, open ? SLA_CODE_END : SLA_CODE_BEGIN) << channel;
            open = !open;
        }
        EXPECT_FALSE(open) << channel;
    }
}

TEST(DemoGuest, TicksAtTheTimersRate) {
    TestPc pc(guest::demo_guest(1000));
    pc.run();
    const auto services = pc.seen.of("irq.0.isr");
    const auto span = services[services.size() - 2].time - services.front().time;
    EXPECT_NEAR(static_cast<double>(span), 999.0 * 1193 * 88'000 / 105, 1'000'000);
}

TEST(DemoGuest, RunsTheSameUnderTheVirtualClockEveryTime) {
    std::uint64_t hashes[2] = {0, 0};
    for (auto& hash : hashes) {
        TestPc pc(guest::demo_guest(500));
        pc.run();
        hash = hash_of(pc.seen);
        EXPECT_GT(pc.seen.events.size(), 5000U);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(DemoGuest, RunsForEverWhenToldZeroTicks) {
    TestPc pc(guest::demo_guest(0));
    EXPECT_EQ(pc.run(3 * TestPc::kSecond).ending, Ending::kTimeUp);
    EXPECT_NEAR(static_cast<double>(pc.seen.count("irq.0.isr", SLA_CODE_BEGIN)), 3000, 2);
    EXPECT_EQ(pc.text, "");
}

}  // namespace
}  // namespace sla::vmm
