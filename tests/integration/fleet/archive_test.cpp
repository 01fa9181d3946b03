// A fleet's captures as a lake, while they grow and behind their end: every row once.
#include "tests/integration/fleet/fleet_fixture.h"
#include "tests/support/lake_rows.h"

#include <random>
#include <thread>

namespace sla {
namespace {

class ArchivingAFleet : public InFleet {
protected:
    Said archive() {
        return run_sla({"archive", cluster_->address(), agent_.file("lake"), "--fleet", "t", "--part-rows", "1500"});
    }
    std::vector<std::string> rows_of_lake() {
        return support::rows_of_lake(SLA_BINARIES "/sla", agent_.file("lake"), agent_.file("back.sla"));
    }
    // Every row of the host's capture is in the lake, once.
    void expect_every_row_once(std::uint64_t least) {
        const auto table = run_sla({"table", "fleet:" + cluster_->address() + "/t/h1", "--format", "csv"});
        ASSERT_EQ(table.code, 0) << table.errors;
        auto rows = support::bare_rows(table.output);
        auto archived = rows_of_lake();
        EXPECT_GE(rows.size(), least);
        // The clock's line is better known at the end: times of early parts differ within their error, ticks do not.
        const auto without_time = [](std::vector<std::string>& all) {
            for (std::string& row : all) {
                const std::size_t tick = row.find(',');
                row.erase(tick, row.find(',', tick + 1) - tick);
            }
            std::sort(all.begin(), all.end());  // rows of one tick have the order of their channels, which a part has not
        };
        without_time(rows);
        without_time(archived);
        EXPECT_TRUE(rows == archived) << rows.size() << " rows, archived " << archived.size();
    }
};

TEST_F(ArchivingAFleet, OfAFleetThatIsNotThereItSaysSo) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    const Said said = run_sla({"archive", cluster_->address(), agent_.file("lake"), "--fleet", "nosuch"});
    EXPECT_EQ(said.code, 1);
    EXPECT_NE(said.errors.find("there is no fleet 'nosuch' there"), std::string::npos) << said.errors;
}

TEST_F(ArchivingAFleet, EveryRowIsThereOnceAsItGrowsAndEnds) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    const std::uint64_t offered = run_burst("3", "4000");
    ASSERT_TRUE(all_published(offered));
    Said said = archive();
    ASSERT_EQ(said.code, 0) << said.errors;
    run_burst("2", "2000");
    said = archive();
    ASSERT_EQ(said.code, 0) << said.errors;
    const std::size_t meanwhile = rows_of_lake().size();
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    said = archive();
    ASSERT_EQ(said.code, 0) << said.errors;
    EXPECT_GT(meanwhile, 0u);
    expect_every_row_once(offered + 1);
}

// While the capture grows, and after it ended.
TEST_F(ArchivingAFleet, KilledAtRandomMomentsAndRunAgainEveryRowIsThereOnce) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    std::uint64_t offered = run_burst("3", "4000");
    ASSERT_TRUE(all_published(offered));
    Process program({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(program.wait_for_output("running", kTimeout));
    std::mt19937 random(5);
    const Words words{SLA_BINARIES "/sla", "archive", cluster_->address(), agent_.file("lake"),
                      "--fleet",           "t",       "--part-rows",       "400"};
    int killed = 0;
    unsigned span = 400;  // ms within which a run is killed: about as long as one takes, on any machine
    for (int run = 0; run < 24; ++run) {
        if (run == 12) {
            program.signal(SIGTERM);
            ASSERT_EQ(program.wait().code, 0);
            offered += program.number("offered");
            ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
        }
        Process archive(words, agent_.environment());
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % span));
        archive.signal(SIGKILL);
        const support::Exit exit = archive.wait(kTimeout);
        const bool is_killed = exit.signal == SIGKILL;
        ASSERT_TRUE(is_killed || exit.code == 0) << archive.errors();
        killed += is_killed ? 1 : 0;
        span = is_killed ? std::min(400U, span + span / 4) : std::max(20U, span / 2);
    }
    EXPECT_GT(killed, 5);
    const Said said = archive();
    ASSERT_EQ(said.code, 0) << said.errors;
    expect_every_row_once(offered);
}

}  // namespace
}  // namespace sla
