// Servers, and an agent that publishes to them what marked programs write.
#pragma once

#include "proto/fleet/names.h"
#include "proto/fleet/setup.h"
#include "proto/fleet/streams.h"
#include "tests/support/agent_under_test.h"
#include "tests/support/fleet_reading.h"
#include "tests/support/nats_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace sla {

inline constexpr auto kTimeout = std::chrono::seconds(90);  // elections on a busy machine

class InFleet : public testing::Test {
protected:
    using Process = support::Process;
    using Words = std::vector<std::string>;

    void start_servers(std::size_t nodes, const std::string& more = "", const std::string& user = "") {
        cluster_.emplace(nodes, more);
        cluster_->connect_as(user);
        ASSERT_TRUE(cluster_->start()) << cluster_->problem();
        set_up(nodes);
    }
    void set_up(std::size_t replicas) {
        const fleet::FleetSettings settings{2, static_cast<std::uint32_t>(replicas), 3'600'000'000'000, 64 << 20};
        std::string why;
        const auto is_done = [&] {
            const auto connection = connect();
            const Result<void> done = connection ? fleet::set_up(*connection, "t", settings, [](const std::string&) {})
                                                 : unavailable("no connection");
            why = done ? "" : done.error().message;
            return done.ok();
        };
        ASSERT_TRUE(support::eventually(is_done, kTimeout)) << why;  // a leader must have been chosen
    }
    // What is asked again and again asks briefly: a bucket that has no leader does not answer at all.
    static constexpr std::chrono::milliseconds kBriefly{500};
    [[nodiscard]] std::unique_ptr<fleet::Connection> connect(
        std::chrono::milliseconds api_wait = fleet::ConnectOptions().api_wait) const {
        fleet::ConnectOptions options = cluster_->connect_options();
        options.api_wait = api_wait;
        auto connection = fleet::Connection::open(options);
        return connection ? std::move(*connection) : nullptr;
    }
    Words publishing(Words more = {}) {
        Words words{"--publish",   address_.empty() ? cluster_->address() : address_,
                    "--fleet",     "t",
                    "--host",      "h1",
                    "--spool-dir", agent_.file("spool"),
                    "--report-every", "200ms"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    void start_agent(const Words& more = {}) { ASSERT_TRUE(agent_.start(publishing(more))) << agent_.process().errors(); }
    // Rings that hold all that a test writes, so that a busy machine loses nothing.
    [[nodiscard]] std::map<std::string, std::string> environment() const {
        std::map<std::string, std::string> all = agent_.environment();
        all["SLA_RING_SLOTS"] = "65536";
        return all;
    }
    // A program that ends by itself; how many events it offered.
    std::uint64_t run_burst(const std::string& channels, const std::string& events) {
        Process program({SLA_TEST_MARKER, "burst", channels, "1", events}, environment());
        EXPECT_EQ(program.wait().code, 0) << program.errors();
        return program.number("offered");
    }
    // The last numbers that agents wrote behind, or before, a word.
    std::uint64_t number_before(const std::string& word) {
        const std::string said = agent_.process().errors();
        const std::size_t end = said.rfind(" " + word);
        const std::size_t begin = said.find_last_not_of("0123456789", end - 1);
        EXPECT_NE(end, std::string::npos) << word << " in " << said;
        return end == std::string::npos ? 0 : std::stoull(said.substr(begin + 1, end - begin - 1));
    }
    bool agent_said(const std::string& text) { return agent_.process().errors().find(text) != std::string::npos; }
    struct Said {
        int code = -1;
        std::string output;
        std::string errors;
    };
    Said run(const Words& words, const std::map<std::string, std::string>& more = {}) {
        std::map<std::string, std::string> all = agent_.environment();
        all.insert(more.begin(), more.end());
        Process process(words, all);
        const int code = process.wait(kTimeout).code;
        return {code, process.output(), process.errors()};
    }
    // The command `sla`.
    Said run_sla(Words words, const std::map<std::string, std::string>& more = {}) {
        words.emplace(words.begin(), SLA_BINARIES "/sla");
        return run(words, more);
    }
    // What the registry says of the host's newest agent; nothing yet.
    std::optional<fleet::RunEntry> entry() {
        const auto connection = connect(kBriefly);
        if (!connection) return std::nullopt;
        const auto runs = fleet::runs_in(*connection, fleet::hosts_bucket("t"));
        if (!runs || runs->empty()) return std::nullopt;
        if (runs->front().pid != static_cast<std::uint32_t>(agent_.process().pid())) return std::nullopt;
        return runs->front();
    }
    [[nodiscard]] std::size_t captures_in_spool() const {
        std::error_code ignored;
        std::size_t captures = 0;
        for (const auto& file : std::filesystem::directory_iterator(agent_.file("spool"), ignored))
            captures += file.is_directory(ignored);
        return captures;
    }
    // What agents before this one left has gone to the cluster; the capture of this one may still be there.
    bool spool_becomes_empty() {
        return support::eventually([&] { return captures_in_spool() <= 1; }, kTimeout);
    }
    // An agent that ends while leaders are elected leaves its last word to the next one.
    void stop_agents_until_all_is_said() {
        constexpr int kAgents = 10;
        for (int agent = 1; agent <= kAgents; ++agent) {
            ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
            if (captures_in_spool() == 0) return;
            ASSERT_LT(agent, kAgents) << agent_.process().errors();
            ASSERT_NO_FATAL_FAILURE(start_agent());
            ASSERT_TRUE(spool_becomes_empty()) << agent_.process().errors();
        }
    }
    // All that was recorded so far is acknowledged.
    bool all_published(std::uint64_t least) {
        return support::eventually(
            [&] {
                const auto run = entry();
                return run && run->published >= least && run->left == 0;
            },
            kTimeout);
    }
    // Of several runs, some of which were quiet.
    static const support::CaptureInFleet& fullest(const support::FleetContents& read) {
        return std::max_element(read.captures.begin(), read.captures.end(),
                                [](const auto& a, const auto& b) { return a.second.event_sum < b.second.event_sum; })
            ->second;
    }
    support::FleetContents contents() {
        support::FleetContents read = support::read_fleet(*cluster_, "t");
        for (const std::string& problem : read.problems) ADD_FAILURE() << problem;
        return read;
    }

    std::optional<support::NatsCluster> cluster_;
    std::string address_;  // other than the servers'
    support::AgentUnderTest agent_{SLA_BINARIES};
};

}  // namespace sla
