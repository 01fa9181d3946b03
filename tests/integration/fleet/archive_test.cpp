// A fleet's captures as a lake, while they grow and behind their end: every row once.
#include "tests/integration/fleet/fleet_fixture.h"
#include "tests/support/lake_rows.h"

#include <filesystem>
#include <optional>
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

    struct RandomKills {
        std::mt19937 random;
        unsigned span;  // ms within which a run is killed: about as long as one takes, on any machine
        int killed = 0;
    };
    // One run, which may come to its end before.
    void run_and_kill(const Words& words, RandomKills& kills) {
        Process archive(words, agent_.environment());
        std::this_thread::sleep_for(std::chrono::milliseconds(kills.random() % kills.span));
        archive.signal(SIGKILL);
        const support::Exit exit = archive.wait(kTimeout);
        const bool is_killed = exit.signal == SIGKILL;
        ASSERT_TRUE(is_killed || exit.code == 0) << archive.errors();
        kills.killed += is_killed ? 1 : 0;
        kills.span = is_killed ? std::min(400U, kills.span + kills.span / 4) : std::max(20U, kills.span / 2);
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
    const Words words{SLA_BINARIES "/sla", "archive", cluster_->address(), agent_.file("lake"),
                      "--fleet",           "t",       "--part-rows",       "400"};
    RandomKills kills{std::mt19937(5), 400};
    for (int run = 0; run < 24; ++run) {
        if (run == 12) {
            program.signal(SIGTERM);
            ASSERT_EQ(program.wait().code, 0);
            offered += program.number("offered");
            ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
        }
        ASSERT_NO_FATAL_FAILURE(run_and_kill(words, kills));
    }
    EXPECT_GT(kills.killed, 5);
    const Said said = archive();
    ASSERT_EQ(said.code, 0) << said.errors;
    expect_every_row_once(offered);
}

// Streams let go of rows before a run comes.
class ArchivingTooLate : public ArchivingAFleet {
protected:
    // As their limits take the oldest, with all that is in them.
    void empty_the_streams() {
        const auto connection = connect();
        ASSERT_NE(connection, nullptr);
        for (std::uint32_t shard = 0; shard < 2; ++shard)
            ASSERT_EQ(js_PurgeStream(connection->jetstream(), fleet::stream_name("t", shard).c_str(), nullptr, nullptr),
                      NATS_OK);
    }
    // Rows can be read without what was before: a piece that begins names all again.
    void await_new_piece() {
        const auto now = entry();
        ASSERT_TRUE(now.has_value());
        const auto is_new = [&] {
            offer("1", "1");
            const auto then = entry();
            return then && then->pieces > now->pieces;
        };
        ASSERT_TRUE(support::eventually(is_new, kTimeout));
    }
    // Of the whole archive.
    std::uint64_t answer(const std::string& question) {
        const Said said = run_sla({"sql", agent_.file("lake"), question, "--format", "csv"});
        EXPECT_EQ(said.code, 0) << said.errors;
        const std::size_t line = said.output.find('\n');
        return line == std::string::npos ? 0 : std::stoull("0" + said.output.substr(line + 1));
    }
    std::uint64_t rows_archived() { return answer("select count(*) from events where kind != 'gap'"); }
    std::uint64_t losses_archived() { return answer("select coalesce(sum(lost), 0) from gaps"); }
    void offer(const std::string& channels, const std::string& events) { offered_ += run_burst(channels, events); }
    // All that was offered: the registry's sum stands still.
    void await_published() {
        std::optional<fleet::RunEntry> before;
        const auto stands_still = [&] {
            const auto now = entry();
            const bool is_same = now && before && now->seen_ns != before->seen_ns && now->published == before->published;
            const bool is_all = is_same && now->left == 0 && now->published >= offered_;
            before = now;
            return is_all;
        };
        ASSERT_TRUE(support::eventually(stands_still, kTimeout));
        published_ = before->published;
    }
    // Rows in the archive, others that are gone, and some behind them.
    void leave_a_hole() {
        ASSERT_NO_FATAL_FAILURE(start_servers(1));
        ASSERT_NO_FATAL_FAILURE(start_agent());
        offer("3", "4000");
        ASSERT_NO_FATAL_FAILURE(await_published());
        const Said first = archive();
        ASSERT_EQ(first.code, 0) << first.errors;
        EXPECT_EQ(losses_archived(), 0u) << first.errors;
        offer("2", "3000");
        ASSERT_NO_FATAL_FAILURE(await_published());
        ASSERT_NO_FATAL_FAILURE(empty_the_streams());
        ASSERT_NO_FATAL_FAILURE(await_new_piece());
        offer("1", "2000");
        ASSERT_NO_FATAL_FAILURE(await_published());
    }

    std::uint64_t offered_ = 0;
    std::uint64_t published_ = 0;
};

TEST_F(ArchivingTooLate, WhatIsGoneBetweenTwoRunsIsALossThatEveryReaderSees) {
    ASSERT_NO_FATAL_FAILURE(leave_a_hole());
    const Said late = archive();
    ASSERT_EQ(late.code, 0) << late.errors;
    EXPECT_NE(late.errors.find("behind what is archived had expired in the cluster"), std::string::npos) << late.errors;
    EXPECT_GE(losses_archived(), 6000u);
    EXPECT_EQ(rows_archived() + losses_archived(), published_) << late.errors;
    const std::string lake = agent_.file("lake");
    const Said judged = run_sla({"check", lake, "--limit", "lost == 0"});
    EXPECT_EQ(judged.code, 1) << judged.output << judged.errors;
    const Said again = archive();
    EXPECT_EQ(again.errors.find("behind what is archived"), std::string::npos) << again.errors;
    // And of the end, once the agent has ended and nothing is left.
    const std::uint64_t before = published_;
    offer("1", "100");
    ASSERT_NO_FATAL_FAILURE(await_published());
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    ASSERT_NO_FATAL_FAILURE(empty_the_streams());
    const Said end = archive();
    EXPECT_EQ(end.code, 0) << end.errors;
    EXPECT_NE(end.errors.find(": " + std::to_string(published_ - before) + " events behind what is archived"),
              std::string::npos)
        << end.errors;
    EXPECT_EQ(rows_archived() + losses_archived(), published_);
}

// The same hole each time.
TEST_F(ArchivingTooLate, KilledAtRandomMomentsAndRunAgainRowsAndLossesAreThereOnce) {
    namespace fs = std::filesystem;
    ASSERT_NO_FATAL_FAILURE(leave_a_hole());
    const std::string lake = agent_.file("lake");
    fs::copy(lake, agent_.file("lake_before"), fs::copy_options::recursive);
    const Words words{SLA_BINARIES "/sla", "archive", cluster_->address(), lake, "--fleet", "t", "--part-rows", "200"};
    RandomKills kills{std::mt19937(7), 200};
    for (int round = 0; round < 16; ++round) {
        fs::remove_all(lake);
        fs::copy(agent_.file("lake_before"), lake, fs::copy_options::recursive);
        ASSERT_NO_FATAL_FAILURE(run_and_kill(words, kills));
        const Said said = run_sla({words.begin() + 1, words.end()});
        ASSERT_EQ(said.code, 0) << said.errors;
        const std::uint64_t rows = rows_archived();
        ASSERT_GE(rows, 14'000u) << "round " << round;
        ASSERT_EQ(rows + losses_archived(), published_) << "round " << round << ": " << said.errors;
        ASSERT_EQ(answer("select count(*) from gaps"), 1u) << "round " << round;
    }
    EXPECT_GT(kills.killed, 4);
}

TEST_F(ArchivingTooLate, ACaptureOfWhichNothingIsLeftIsNamed) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    offer("2", "500");
    ASSERT_NO_FATAL_FAILURE(await_published());
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    ASSERT_NO_FATAL_FAILURE(empty_the_streams());
    const Said said = archive();
    EXPECT_EQ(said.code, 0) << said.errors;
    EXPECT_NE(said.errors.find(": " + std::to_string(published_) +
                               " events had expired in the cluster, or were deleted there, before it was "
                               "archived for the first time"),
              std::string::npos)
        << said.errors;
}

}  // namespace
}  // namespace sla
