#include "agent/member/ping_log.h"

#include <gtest/gtest.h>

namespace sla::member {
namespace {

fleet::Pong pong(std::uint64_t number, const std::string& host) {
    fleet::Pong pong;
    pong.set_number(number);
    pong.set_host(host);
    pong.set_boot_id("boot");
    pong.set_ticks_per_second(3e9);
    pong.set_received(7000);
    pong.set_answered(7100);
    return pong;
}

TEST(PingLogOf, AnAnswerCarriesAllFourStamps) {
    PingLog log;
    log.begin(5, "b") = 100;
    const auto answer = log.finish(5, pong(5, "b"), 900);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->ping, 5u);
    EXPECT_EQ(answer->boot_id, "boot");
    EXPECT_EQ(answer->ticks_per_second, 3e9);
    EXPECT_EQ(answer->stamps.sent, 100u);
    EXPECT_EQ(answer->stamps.received, 7000u);
    EXPECT_EQ(answer->stamps.answered, 7100u);
    EXPECT_EQ(answer->stamps.returned, 900u);
}

TEST(PingLogOf, AnAnswerCountsOnce) {
    PingLog log;
    log.begin(5, "b") = 100;
    EXPECT_TRUE(log.finish(5, pong(5, "b"), 900));
    EXPECT_FALSE(log.finish(5, pong(5, "b"), 901));
}

TEST(PingLogOf, AnAnswerToAnotherPingOrToNoneIsDropped) {
    PingLog log;
    log.begin(5, "b") = 100;
    EXPECT_FALSE(log.finish(6, pong(6, "b"), 900));
    EXPECT_FALSE(log.finish(5, pong(6, "b"), 900)) << "came back where 5 is waited for, but is of another one";
}

TEST(PingLogOf, NoHostVouchesForAnotherOnesClock) {
    PingLog log;
    log.begin(5, "b") = 100;
    EXPECT_FALSE(log.finish(5, pong(5, "c"), 900));
    EXPECT_TRUE(log.finish(5, pong(5, "b"), 950)) << "the right one may still come";
    log.begin(6, "web-1-example-org") = 100;
    EXPECT_TRUE(log.finish(6, pong(6, "web-1.example.org"), 900)) << "as subjects have it";
}

TEST(PingLogOf, AreForgottenWhenThereAreTooMany) {
    PingLog log;
    for (std::uint64_t i = 1; i <= PingLog::kMax + 1; ++i) log.begin(i, "b") = i;
    EXPECT_FALSE(log.finish(1, pong(1, "b"), 900));
    EXPECT_TRUE(log.finish(2, pong(2, "b"), 900));
    EXPECT_EQ(log.forget(3), "b");
    EXPECT_FALSE(log.forget(3));
}

}  // namespace
}  // namespace sla::member
