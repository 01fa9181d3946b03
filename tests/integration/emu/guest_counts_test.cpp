// The guest counts its own interrupts, port accesses and halts and prints them; the capture of the whole pipeline has
// exactly those.
#include "tests/integration/emu/guests.h"
#include "viewer/ingest/open.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <sstream>

namespace sla {
namespace {

using support::Process;

std::map<std::string, std::uint64_t> counts_in(const std::string& text) {
    std::map<std::string, std::uint64_t> counts;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::size_t equals = word.find('=');
        if (equals != std::string::npos) counts[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
    }
    return counts;
}

std::uint64_t count(const store::Session& session, const std::string& prefix,
                    const std::function<bool(const store::Lane&, std::uint64_t)>& counts) {
    std::uint64_t found = 0;
    for (const store::Lane* lane : session.lanes()) {
        if (!lane->channel().name.starts_with(prefix)) continue;
        for (std::uint64_t i = 0; i < lane->size(); i++) found += counts(*lane, i);
    }
    return found;
}

bool is_begin(const store::Lane& lane, std::uint64_t i) {
    return lane[i].kind() == wire::Kind::kBegin;
}
bool is_any(const store::Lane&, std::uint64_t) {
    return true;
}

constexpr double kDemoPeriodNs = 1193 * 88'000.0 / 105;  // of its timer

// By a virtual clock that runs faster than the machine's with one CPU and slower with the other.
TEST(Emulator, WithTheVirtualClockRowsAreAsFarApartAsTheGuestsTimeSays) {
    support::TempDir directory;
    for (const char* cpu : {"unicorn", "x86emu"}) {
        const std::string capture = directory.file(std::string(cpu) + ".sla");
        Process recording({SLA_BINARIES "/sla", "record", "-o", capture, "--", SLA_BINARIES "/sla-emu", "run", "--demo",
                           "--ticks", "500", "--clock", "virtual", "--cpu", cpu});
        ASSERT_EQ(recording.wait(kHang).code, 0) << recording.errors();
        store::Session session;
        ASSERT_TRUE(ingest::load(capture, session).ok());
        EXPECT_EQ(session.lost(), 0u) << cpu;
        std::vector<std::uint64_t> ticks;
        for (const store::Lane* lane : session.lanes()) {
            if (lane->channel().name != "irq.0.isr") continue;
            for (std::uint64_t i = 0; i < lane->size(); i++) {
                if (is_begin(*lane, i)) ticks.push_back(lane->tick(i));
            }
        }
        ASSERT_GE(ticks.size(), 500u) << cpu;
        const time::ClockMap& clock = session.clock();
        const double span_ns = static_cast<double>(clock.to_ps(ticks.back()) - clock.to_ps(ticks.front())) / 1000;
        const double period_ns = span_ns / static_cast<double>(ticks.size() - 1);
        EXPECT_NEAR(period_ns, kDemoPeriodNs, kDemoPeriodNs / 1000) << cpu;
    }
}

TEST(Emulator, TheCaptureHasExactlyWhatTheGuestCounted) {
    support::TempDir directory;
    std::string capture = directory.file("guest.sla");
    Process recording(
        {SLA_BINARIES "/sla", "record", "-o", capture, "--", SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "2000"});
    ASSERT_EQ(recording.wait(kHang).code, 0) << recording.errors();
    std::map<std::string, std::uint64_t> counts = counts_in(recording.output());
    // A starved host may bring two ticks between the guest's looks at its own count.
    ASSERT_GE(counts["irq0"], 2000u) << recording.output();
    store::Session session;
    ASSERT_TRUE(ingest::load(capture, session).ok());
    EXPECT_EQ(session.lost(), 0u);

    EXPECT_EQ(count(session, "irq.0.isr", is_begin), counts["irq0"]);
    EXPECT_EQ(count(session, "int.21h", is_any), counts["int21"]);
    EXPECT_EQ(count(session, "int.40h", is_any), counts["int40"]);
    EXPECT_EQ(count(session, "exc.00", is_any), counts["de"]);
    EXPECT_EQ(count(session, "cpu.hlt", is_begin), counts["hlt"]);
    auto said = [](const char* start) {
        return [start](const store::Lane& lane, std::uint64_t i) { return lane.text(i).starts_with(start); };
    };
    EXPECT_EQ(count(session, "port.post", said("out 80h.w")), counts["out80w"]);
    EXPECT_EQ(count(session, "port.post", said("out 80h")), counts["out80"] + counts["out80w"]);
    EXPECT_EQ(count(session, "port.", said("in ")), counts["in"]);
    EXPECT_EQ(
        count(session, "port.", said("out ")) - count(session, "port.debug", is_any) - count(session, "port.exit", is_any),
        counts["out"]);
    EXPECT_EQ(session.sources().begin()->second.kind, store::SourceKind::kPc);
}

}  // namespace
}  // namespace sla
