// What is looked at again and again: `sla fleet watch`, and `sla top` of a fleet.
#include "tests/integration/fleet/two_hosts.h"

#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace sla {
namespace {

class WatchingAFleet : public TwoHosts {
protected:
    static std::size_t count(const std::string& text, const std::string& word) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++found;
        return found;
    }
};

TEST_F(WatchingAFleet, HostsAppearTheirEndAndSilentServersAreSaidAndAnInterruptEndsIt) {
    ASSERT_NO_FATAL_FAILURE(start_servers(1));
    ASSERT_NO_FATAL_FAILURE(start_agent());
    Process watch({SLA_BINARIES "/sla", "fleet", "watch", cluster_->address(), "--fleet", "t"}, agent_.environment());
    ASSERT_TRUE(watch.wait_for_output("h1", kTimeout)) << watch.errors();
    EXPECT_EQ(watch.output().find("h2"), std::string::npos);
    ASSERT_TRUE(other_.start(of_other({}))) << other_.process().errors();
    ASSERT_TRUE(watch.wait_for_output("h2", kTimeout)) << watch.output();
    const std::uint64_t offered = run_burst("1", "1234");
    ASSERT_TRUE(all_published(offered));
    ASSERT_TRUE(watch.wait_for_output(std::to_string(offered), kTimeout)) << watch.output();
    ASSERT_EQ(other_.stop(), 0);
    const std::regex ended("\nh2 +ended ");
    ASSERT_TRUE(support::eventually([&] { return std::regex_search(watch.output(), ended); }, kTimeout)) << watch.output();
    EXPECT_GE(count(watch.output(), "h1"), 3u) << "again and again";
    EXPECT_TRUE(watch.is_running());
    watch.signal(SIGINT);
    EXPECT_EQ(watch.wait(kTimeout).code, 0) << watch.errors();
    EXPECT_EQ(watch.errors(), "");

    const Said nothing = run_sla({"fleet", "watch", cluster_->address(), "--fleet", "no-such"});
    EXPECT_NE(nothing.code, 0);
    EXPECT_NE(nothing.errors.find("no-such"), std::string::npos) << nothing.errors;
}

TEST_F(WatchingAFleet, TopHasTheChannelsOfAllHostsAndHowFastMoreComes) {
    ASSERT_NO_FATAL_FAILURE(start_marking());
    const auto have_both_rows = [&] {
        const auto connection = connect();
        const auto runs = connection ? fleet::runs_in(*connection, fleet::hosts_bucket("t")) : unavailable("no connection");
        return runs && runs->size() == 2 && (*runs)[0].published > 0 && (*runs)[1].published > 0;
    };
    ASSERT_TRUE(support::eventually(have_both_rows, kTimeout));
    const std::string address = "fleet:" + cluster_->address() + "/t";
    const std::string once = ask({"top", address, "--once", "--format", "csv"});
    ASSERT_EQ(code_, 0) << said_;
    EXPECT_TRUE(once.starts_with("channel,source,rate_hz,events,lost,")) << once;
    std::istringstream lines(once.substr(once.find('\n') + 1));
    int busy = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        std::vector<std::string> fields;
        for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
        ASSERT_GE(fields.size(), 5u) << line;
        if (std::stoull(fields[2]) > 0 && std::stoull(fields[3]) > 0) ++busy;
        EXPECT_EQ(fields[4], "0") << line;
    }
    EXPECT_GE(busy, 2) << once;

    Process top({SLA_BINARIES "/sla", "top", address, "--format", "csv"}, agent_.environment());
    const auto rows_of = [&](const std::string& word) { return count(top.output(), word); };
    ASSERT_TRUE(support::eventually([&] { return rows_of("\n") > 6; }, kTimeout)) << top.errors();
    Process mark({SLA_BINARIES "/sla", "mark", "late.comer", "1"}, agent_.environment());
    EXPECT_EQ(mark.wait(kTimeout).code, 0) << mark.errors();
    EXPECT_TRUE(support::eventually([&] { return rows_of("late.comer") > 0; }, kTimeout)) << top.output();
    top.signal(SIGINT);
    EXPECT_EQ(top.wait(kTimeout).code, 0) << top.errors();
    for (Process* program : {&*first_program_, &*second_program_}) {
        program->signal(SIGTERM);
        EXPECT_EQ(program->wait().code, 0);
    }
    for (support::AgentUnderTest* agent : {&agent_, &other_}) EXPECT_EQ(agent->stop(), 0);
}

}  // namespace
}  // namespace sla
