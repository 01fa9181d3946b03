// A window that is open while an agent publishes shows what comes, and `sla table --follow` writes it.
#include "tests/integration/fleet/two_hosts.h"

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

namespace sla {
namespace {

using Clock = std::chrono::steady_clock;

class FollowingAFleet : public TwoHosts {
protected:
    struct Sample {
        Clock::time_point at;
        std::uint64_t published;
    };
    // The values of each thread's rows, in the order in which they stand.
    static std::map<std::string, std::vector<std::uint64_t>> values_in(const std::string& csv) {
        std::map<std::string, std::vector<std::uint64_t>> values;
        std::istringstream in(csv);
        std::string line;
        std::getline(in, line);
        while (std::getline(in, line)) {
            std::istringstream fields(line);
            std::vector<std::string> all;
            for (std::string field; std::getline(fields, field, ',');) all.push_back(field);
            if (all.size() > 7) values[all[4]].push_back(std::stoull(all[7]));  // thread, value
        }
        return values;
    }
    static std::size_t count_of(const std::string& text, const std::string& in) {
        std::size_t count = 0;
        for (std::size_t at = in.find(text); at != std::string::npos; at = in.find(text, at + 1)) ++count;
        return count;
    }
    // The numbers that begin lines with this text, "sla: " before them.
    static std::uint64_t number_of(const std::string& text, const std::string& errors) {
        std::uint64_t sum = 0;
        std::istringstream in(errors);
        for (std::string line; std::getline(in, line);) {
            if (line.find(text) != std::string::npos && line.starts_with("sla: ")) sum += std::stoull(line.substr(5));
        }
        return sum;
    }
    // As a stream's limit of age or size does: all pieces but the newest.
    void drop_oldest() {
        const auto connection = connect();
        ASSERT_NE(connection, nullptr);
        const support::FleetContents contents = support::read_fleet(*cluster_, "t");
        std::uint64_t newest = 0;
        for (const support::FleetMessage& one : contents.messages) newest = std::max(newest, one.headers.id.piece);
        const auto first = std::find_if(contents.messages.begin(), contents.messages.end(),
                                        [newest](const auto& one) { return one.headers.id.piece == newest; });
        ASSERT_NE(first, contents.messages.end());
        jsOptions options;
        jsOptions_Init(&options);
        options.Stream.Purge.Sequence = first->sequence;
        const std::string stream = fleet::stream_name("t", first->shard);
        ASSERT_EQ(js_PurgeStream(connection->jetstream(), stream.c_str(), &options, nullptr), NATS_OK);
    }
    [[nodiscard]] std::uint64_t pieces() const {
        std::uint64_t newest = 0;
        for (const auto& one : support::read_fleet(*cluster_, "t").messages) newest = std::max(newest, one.headers.id.piece);
        return newest;
    }
    // Of that number in all lines of JSON that have this text.
    static std::uint64_t sum_of(const std::string& name, const std::string& text, const std::string& jsonl) {
        std::uint64_t sum = 0;
        std::istringstream in(jsonl);
        for (std::string line; std::getline(in, line);) {
            const std::size_t at = line.find("\"" + name + "\":");
            if (line.find(text) != std::string::npos && at != std::string::npos && line[at + name.size() + 3] != 'n')
                sum += std::stoull(line.substr(at + name.size() + 3));
        }
        return sum;
    }
    // Another host comes, with a program on it.
    void start_second() {
        ASSERT_TRUE(other_.start(of_other({}))) << other_.process().errors();
        second_ = std::make_unique<Process>(std::vector<std::string>{SLA_TEST_MARKER, "steady"}, other_.environment());
        ASSERT_TRUE(second_->wait_for_output("running", kTimeout));
    }
    // The programs, then the agents of both hosts.
    void end_all(Process& first) {
        for (Process* program : {&first, second_.get()}) {
            program->signal(SIGTERM);
            ASSERT_EQ(program->wait().code, 0);
        }
        ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
        ASSERT_EQ(other_.stop(), 0) << other_.process().errors();
    }
    // What the registry said while the window ran.
    std::vector<Sample> watch(Process& window) {
        std::vector<Sample> samples;
        while (window.is_running()) {
            if (const auto run = entry()) samples.push_back({Clock::now(), run->published});
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return samples;
    }

    std::unique_ptr<Process> second_;
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

// A host that has been silent for long, or is gone without a word, is far behind: what others published since is not new.
TEST_F(FollowingAFleet, TheTableBeginsNowThoughAHostHasBeenSilentForLong) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    ASSERT_TRUE(other_.start(of_other({}))) << other_.process().errors();
    Process silent({SLA_TEST_MARKER, "burst", "1", "1", "100"}, other_.environment());
    ASSERT_EQ(silent.wait().code, 0) << silent.errors();
    const std::string fleet = "fleet:" + cluster_->address() + "/t";
    const auto silent_is_there = [&] { return run_sla({"stats", fleet + "/h2", "--channel", "burst.*"}).code == 0; };
    ASSERT_TRUE(support::eventually(silent_is_there, kTimeout)) << other_.process().errors();
    ASSERT_TRUE(all_published(run_burst("1", "2000"))) << agent_.process().errors();
    Process table({SLA_BINARIES "/sla", "table", "--follow", fleet, "--format", "csv"}, agent_.environment());
    Process program({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(table.wait_for_output(",test.main,", kTimeout)) << table.errors();
    EXPECT_EQ(table.output().find(",burst."), std::string::npos) << table.errors();
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait().code, 0);
}

// A host that comes later, too, from its first row on; and when all have ended, so has the table.
TEST_F(FollowingAFleet, TheTableHasTheRowsOfAllHostsOnceAlsoOfOneThatComesLater) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    Process first({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(first.wait_for_output("running", kTimeout));
    const auto is_there = [&] {
        const auto run = entry();
        return run && run->published > 0;
    };
    ASSERT_TRUE(support::eventually(is_there, kTimeout)) << agent_.process().errors();
    Process table({SLA_BINARIES "/sla", "table", "--follow", "fleet:" + cluster_->address() + "/t", "--channel", "test.main",
                   "--format", "csv"},
                  agent_.environment());
    ASSERT_TRUE(table.wait_for_output(",test.main,", kTimeout)) << table.errors();
    ASSERT_NO_FATAL_FAILURE(start_second());
    ASSERT_TRUE(table.wait_for_output("/" + std::to_string(second_->pid()) + ",test.main,", kTimeout)) << table.errors();
    ASSERT_NO_FATAL_FAILURE(end_all(first));
    ASSERT_EQ(table.wait(kTimeout).code, 0) << table.errors();
    const auto values = values_in(table.output());
    ASSERT_EQ(values.size(), 2u) << table.errors();
    for (const auto& [thread, all] : values) {
        const bool is_second = thread.ends_with("/" + std::to_string(second_->pid()));
        if (is_second) {
            EXPECT_EQ(all.front(), 0u) << thread;
        }
        EXPECT_EQ(all.back() + 1, (is_second ? *second_ : first).number("offered")) << thread;
        for (std::size_t i = 1; i < all.size(); ++i) ASSERT_EQ(all[i], all[i - 1] + 1) << thread;
    }
}

// Between two openings the streams' limits take the oldest rows away: those that are new keep their places all the same.
TEST_F(FollowingAFleet, TheTableLacksNoRowThoughTheOldestWereDroppedBeforeItWasOpenedAnew) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    Process first({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(first.wait_for_output("running", kTimeout));
    const std::string fleet = "fleet:" + cluster_->address() + "/t";
    const auto is_there = [&] { return run_sla({"stats", fleet, "--channel", "test.main"}).code == 0; };
    ASSERT_TRUE(support::eventually(is_there, kTimeout)) << agent_.process().errors();
    Process table(
        {SLA_BINARIES "/sla", "table", "--follow", fleet, "--channel", "test.main", "--from", "0", "--format", "csv"},
        agent_.environment());
    const auto rows = [&] { return count_of(",test.main,", table.output()); };
    ASSERT_TRUE(support::eventually([&] { return rows() > 500; }, kTimeout)) << table.errors();
    ASSERT_TRUE(support::eventually([&] { return run_burst("4", "1000000") > 0 && pieces() > 1; }, kTimeout));
    drop_oldest();
    const Said now = run_sla({"table", fleet, "--channel", "test.main", "--format", "csv"});
    const auto left = values_in(now.output);
    ASSERT_EQ(left.size(), 1u) << now.errors << now.output;
    ASSERT_GT(left.begin()->second.front(), 100u) << "the oldest are gone";
    ASSERT_NO_FATAL_FAILURE(start_second());
    ASSERT_TRUE(table.wait_for_output("/" + std::to_string(second_->pid()) + ",test.main,", kTimeout)) << table.errors();
    ASSERT_NO_FATAL_FAILURE(end_all(first));
    ASSERT_EQ(table.wait(kTimeout).code, 0) << table.errors();
    for (const auto& [thread, all] : values_in(table.output())) {
        EXPECT_EQ(all.front(), 0u) << thread;
        for (std::size_t i = 1; i < all.size(); ++i) ASSERT_EQ(all[i], all[i - 1] + 1) << thread << table.errors();
    }
}

// Opened anew when the second host comes, the watch goes on where it was: every row is judged once, and counted once.
TEST_F(FollowingAFleet, LimitsAreWatchedAndIntervalsCountedOnAllHosts) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    Process first({SLA_TEST_MARKER, "steady"}, environment());
    ASSERT_TRUE(first.wait_for_output("running", kTimeout));
    const std::string fleet = "fleet:" + cluster_->address() + "/t";
    const auto is_there = [&] { return run_sla({"stats", fleet, "--channel", "test.main"}).code == 0; };
    ASSERT_TRUE(support::eventually(is_there, kTimeout)) << agent_.process().errors();
    Process check({SLA_BINARIES "/sla", "check", "--follow", fleet, "--from", "0", "--format", "jsonl", "--limit",
                   "count test.main > 0", "--limit", "count value == 150 == 0", "--limit", "gap test.main >= 0s", "--limit",
                   "lost == 0"},
                  agent_.environment());
    Process stats({SLA_BINARIES "/sla", "stats", "--follow", fleet, "--from", "0", "--values", "--format", "jsonl",
                   "--channel", "test.main"},
                  agent_.environment());
    ASSERT_TRUE(check.wait_for_output("\"break\"", kTimeout)) << check.errors();
    ASSERT_TRUE(stats.wait_for_output("test.main", kTimeout)) << stats.errors();
    ASSERT_NO_FATAL_FAILURE(start_second());
    const auto breaks = [&] { return count_of("\"break\"", check.output()); };
    ASSERT_TRUE(support::eventually([&] { return breaks() >= 2; }, kTimeout)) << check.output() << check.errors();
    ASSERT_NO_FATAL_FAILURE(end_all(first));
    EXPECT_EQ(check.wait(kTimeout).code, 1) << check.errors();
    EXPECT_EQ(stats.wait(kTimeout).code, 0) << stats.errors();
    const std::uint64_t all = first.number("offered") + second_->number("offered");
    EXPECT_EQ(sum_of("checked", "count test.main > 0", check.output()), all) << check.output() << check.errors();
    EXPECT_EQ(sum_of("checked", "gap test.main >= 0s", check.output()), all - 2) << check.output();
    EXPECT_EQ(breaks(), 2u) << check.output();
    const std::uint64_t counted = sum_of("count", "test.main", stats.output());
    EXPECT_EQ(counted + number_of("counted in no interval", stats.errors()), all) << stats.output() << stats.errors();
    EXPECT_GT(counted, first.number("offered")) << stats.output() << stats.errors();
}

// Its rows are still on their way when the watch ends: what has come of the other says nothing of it.
TEST_F(FollowingAFleet, AHostThatIsBehindIsNotTakenForSilent) {
    ASSERT_NO_FATAL_FAILURE(start_marking());
    const std::string fleet = "fleet:" + cluster_->address() + "/t";
    const auto are_there = [&] { return count_of("test.main", run_sla({"stats", fleet}).output) >= 2; };
    ASSERT_TRUE(support::eventually(are_there, kTimeout)) << agent_.process().errors();
    Process check({SLA_BINARIES "/sla", "check", "--follow", fleet, "--format", "jsonl", "--limit", "gap test.main < 2s",
                   "--limit", "count test.main < 1000"},
                  agent_.environment());
    const auto breaks = [&] { return count_of("\"break\"", check.output()); };
    ASSERT_TRUE(support::eventually([&] { return breaks() >= 2; }, kTimeout)) << check.output() << check.errors();
    other_.process().signal(SIGSTOP);
    support::pause_briefly(std::chrono::seconds(5));
    check.signal(SIGINT);
    EXPECT_EQ(check.wait(kTimeout).code, 1) << check.errors();
    other_.process().signal(SIGCONT);
    EXPECT_EQ(count_of("\"pass\"", check.output()), 2u) << check.output();
    for (Process* program : {&*first_program_, &*second_program_}) {
        program->signal(SIGTERM);
        EXPECT_EQ(program->wait().code, 0);
    }
    for (support::AgentUnderTest* agent : {&agent_, &other_}) EXPECT_EQ(agent->stop(), 0);
}

}  // namespace
}  // namespace sla
