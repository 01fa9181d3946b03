// A window that is open while an agent publishes shows what comes.
#include "tests/integration/fleet/fleet_fixture.h"

#include <fstream>
#include <thread>

namespace sla {
namespace {

using Clock = std::chrono::steady_clock;

class FollowingAFleet : public InFleet {
protected:
    struct Sample {
        Clock::time_point at;
        std::uint64_t published;
    };
    // What the registry said while the window ran.
    std::vector<Sample> watch(Process& window) {
        std::vector<Sample> samples;
        while (window.is_running()) {
            if (const auto run = entry()) samples.push_back({Clock::now(), run->published});
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return samples;
    }
};

// The window runs for so long after it was opened that what the registry says of the time between is more than it was
// opened with; and rows that came later are in its table.
TEST_F(FollowingAFleet, TheWindowHasWhatWasPublishedAfterItWasOpened) {
    constexpr std::chrono::seconds kOpen{6};
    constexpr std::chrono::milliseconds kRegistryLate{2500};
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    Process program({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(program.wait_for_output("running", kTimeout));
    const auto is_there = [&] {
        const auto run = entry();
        return run && run->published > 0;
    };
    ASSERT_TRUE(support::eventually(is_there, kTimeout)) << agent_.process().errors();
    const std::string table = agent_.file("table.csv");
    Process window({SLA_BINARIES "/sla-viewer", "--headless", "--frames", std::to_string(kOpen.count() * 60), "--screenshot",
                    agent_.file("window.png"), "--export-table", table, "fleet:" + cluster_->address() + "/t"},
                   agent_.environment());
    const std::vector<Sample> samples = watch(window);
    const Clock::time_point end = Clock::now();
    ASSERT_EQ(window.wait().code, 0) << window.errors();
    const auto behind = std::find_if(samples.begin(), samples.end(),
                                     [&](const Sample& sample) { return sample.at >= end - kOpen + kRegistryLate; });
    ASSERT_NE(behind, samples.end());
    std::ifstream in(table);
    const auto rows = std::count(std::istreambuf_iterator<char>(in), {}, '\n') - 1;
    EXPECT_GT(static_cast<std::uint64_t>(rows), behind->published) << window.errors();
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
}

}  // namespace
}  // namespace sla
