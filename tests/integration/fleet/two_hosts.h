// Two agents of one fleet on this machine, h1 and h2: one counter under both, so that a test knows how far they are off.
#pragma once

#include "tests/integration/fleet/fleet_fixture.h"

#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sla {

class TwoHosts : public InFleet {
protected:
    Words of_other(Words more) {
        Words words{"--publish",      address_.empty() ? cluster_->address() : address_,
                    "--fleet",        "t",
                    "--host",         "h2",
                    "--spool-dir",    other_.file("spool"),
                    "--report-every", "200ms"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    void start_both(const Words& of_first, const Words& of_second) {
        ASSERT_TRUE(agent_.start(publishing(of_first))) << agent_.process().errors();
        ASSERT_TRUE(other_.start(of_other(of_second))) << other_.process().errors();
        servers_ = cluster_->address();
        ASSERT_NO_FATAL_FAILURE(wait_for_both());
    }
    void wait_for_both() {
        const auto are_there = [&] {
            const auto connection = connect();
            const auto runs =
                connection ? fleet::runs_in(*connection, fleet::hosts_bucket("t")) : unavailable("no connection");
            if (!runs || runs->size() != 2) return false;
            hz_ = runs->front().ticks_per_second;
            return hz_ > 0;
        };
        ASSERT_TRUE(support::eventually(are_there, kTimeout)) << agent_.process().errors() << other_.process().errors();
    }
    // A program on each that marks test.main steadily.
    void start_marking() {
        ASSERT_NO_FATAL_FAILURE(start_servers(1));
        ASSERT_NO_FATAL_FAILURE(start_both({}, {}));
        first_program_.emplace(Words{SLA_TEST_MARKER, "steady"}, environment());
        second_program_.emplace(Words{SLA_TEST_MARKER, "steady"}, other_.environment());
        for (auto* program : {&first_program_, &second_program_})
            ASSERT_TRUE((*program)->wait_for_output("running", kTimeout)) << (*program)->errors();
    }
    // A window of pings is over, and reported in both recordings.
    void wait_for_pings() {
        const auto are_read = [&] { return !agent_.load()->peer_clocks().empty() && !other_.load()->peer_clocks().empty(); };
        ASSERT_TRUE(support::eventually(are_read, kTimeout)) << agent_.process().errors() << other_.process().errors();
    }
    // stdout of `sla`.
    std::string ask(const Words& words) {
        const Said said = run_sla(words);
        code_ = said.code;
        said_ = said.errors;
        return said.output;
    }
    std::string fleet(const std::string& what, const Words& more) {
        Words words{"fleet", what, servers_.empty() ? cluster_->address() : servers_, "--fleet", "t"};
        words.insert(words.end(), more.begin(), more.end());
        return ask(words);
    }
    // Whose windows are over.
    std::vector<fleet::ShotEntry> wait_for_shots(std::size_t hosts) {
        std::vector<fleet::ShotEntry> all;
        support::eventually(
            [&] {
                const auto connection = connect();
                if (!connection) return false;
                const auto shots = fleet::shots_of(*connection, "t");
                if (!shots) return false;
                all = *shots;
                return all.size() >= hosts && std::all_of(all.begin(), all.end(), [](const fleet::ShotEntry& one) {
                           return one.state != "filling";
                       });
            },
            std::chrono::seconds(30));
        return all;
    }
    [[nodiscard]] double off_ns(std::uint64_t a, std::uint64_t b) const {
        return std::abs(static_cast<double>(static_cast<std::int64_t>(a - b))) / hz_ * 1e9;
    }

    support::AgentUnderTest other_{SLA_BINARIES};
    std::optional<support::Process> first_program_;  // of start_marking()
    std::optional<support::Process> second_program_;
    double hz_ = 0;
    std::string servers_;  // empty: the cluster's
    int code_ = -1;
    std::string said_;
};

}  // namespace sla
