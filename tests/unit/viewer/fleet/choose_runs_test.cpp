#include "viewer/fleet/fleet_reader.h"

#include <gtest/gtest.h>

namespace sla::fleet {
namespace {

class ChoosingRuns : public ::testing::Test {
protected:
    ChoosingRuns() {
        for (const auto& [host, capture] : {std::pair{"db", "1"}, {"web-1", "1"}, {"web-1", "2"}, {"web-2", "7"}}) {
            RunEntry run;
            run.host = host;
            run.capture = capture;
            runs_.push_back(run);
        }
    }
    // "host/capture" of each.
    [[nodiscard]] std::vector<std::string> chosen(const std::string& behind) const {
        const auto address = parse_fleet_address("fleet:nats://a/prod" + behind);
        const auto runs = choose_runs(*address, runs_);
        if (!runs) return {runs.error().message};
        std::vector<std::string> names;
        for (const RunEntry& run : *runs) names.push_back(run.host + "/" + run.capture);
        return names;
    }

    std::vector<RunEntry> runs_;
};

using Names = std::vector<std::string>;

TEST_F(ChoosingRuns, TakesTheNewestOfEveryHostThatIsMeant) {
    EXPECT_EQ(chosen(""), (Names{"db/1", "web-1/2", "web-2/7"}));
    EXPECT_EQ(chosen("/web-*"), (Names{"web-1/2", "web-2/7"}));
    EXPECT_EQ(chosen("/web-2,db"), (Names{"db/1", "web-2/7"}));
    EXPECT_EQ(chosen("/web-1/1"), (Names{"web-1/1"}));
    EXPECT_EQ(chosen("?capture=1"), (Names{"db/1", "web-1/1"}));
}

TEST_F(ChoosingRuns, SaysWhichItTookWhereAPatternMeansSeveralOfAHost) {
    const auto remark = [this](const std::string& behind) {
        const auto address = parse_fleet_address("fleet:nats://a/prod" + behind);
        return remark_on_choice(*address, runs_, *choose_runs(*address, runs_));
    };
    EXPECT_NE(remark("?capture=*").find(": of each host the newest capture that matches is read: web-1/2 (of 2); "),
              std::string::npos);
    EXPECT_EQ(remark("/web-1"), "") << "the newest is what that means";
    EXPECT_EQ(remark("/web-1/1"), "");
    EXPECT_EQ(remark("/web-2/*"), "") << "there is one";
}

TEST_F(ChoosingRuns, SaysWhereTwoAgentsGoByOneName) {
    constexpr std::int64_t kSecondNs = 1'000'000'000;
    const auto remark = [this](const std::string& behind) {
        const auto address = parse_fleet_address("fleet:nats://a/prod" + behind);
        return remark_on_choice(*address, runs_, *choose_runs(*address, runs_));
    };
    RunEntry& before = runs_[1];
    runs_[2].started_ns = 100 * kSecondNs;
    before.seen_ns = 101 * kSecondNs;  // killed, and its wall clock set a little
    EXPECT_EQ(remark(""), "");
    before.seen_ns = 150 * kSecondNs;
    EXPECT_NE(remark("").find("two agents go by the name 'web-1' at once (captures 1 and 2)"), std::string::npos)
        << remark("");
    EXPECT_NE(remark("/web-*").find("--host"), std::string::npos);
    EXPECT_EQ(remark("/db"), "") << "that is another one";
    EXPECT_EQ(remark("/web-1/1"), "") << "that is what was asked for";
    before.ended_ns = 99 * kSecondNs;  // its end was reported by the next one
    EXPECT_EQ(remark(""), "");
    before.ended_ns = 150 * kSecondNs;
    EXPECT_NE(remark(""), "");
}

TEST_F(ChoosingRuns, SaysWhatThereIsWhenNothingFits) {
    EXPECT_NE(chosen("/db,mail").front().find("there is no host 'mail'; there are: db, web-1, web-2"), std::string::npos);
    EXPECT_EQ(chosen("/db,mail*"), Names{"db/1"}) << "a pattern means what is there";
    EXPECT_NE(chosen("/mail*").front().find("there is no such host; there are: db, web-1, web-2"), std::string::npos);
    EXPECT_NE(chosen("/web-1/9").front().find("there is no such capture; there are: 1, 2"), std::string::npos);
}

TEST_F(ChoosingRuns, OfAnEmptyFleetSaysSo) {
    runs_.clear();
    EXPECT_NE(chosen("/web-1").front().find("no host has published anything there"), std::string::npos);
}

}  // namespace
}  // namespace sla::fleet
