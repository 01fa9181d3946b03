#include "agent/member/twin_watch.h"

#include <gtest/gtest.h>

namespace sla::member {
namespace {

fleet::RunEntry entry(const std::string& capture, std::int64_t seen_ns) {
    fleet::RunEntry run;
    run.host = "web-1";
    run.capture = capture;
    run.pid = 4711;
    run.seen_ns = seen_ns;
    return run;
}

TEST(TwinWatch, AnotherAgentThatGoesOnWritingTheHostsEntryIsSaidOnce) {
    TwinWatch watch("own");
    EXPECT_FALSE(watch.see(entry("own", 1)));
    EXPECT_FALSE(watch.see(entry("other", 2))) << "it may be the last word of the agent before this one";
    EXPECT_FALSE(watch.see(entry("other", 2)));
    EXPECT_FALSE(watch.see(entry("own", 3)));
    const auto said = watch.see(entry("other", 4));
    ASSERT_TRUE(said);
    EXPECT_NE(said->find("as 'web-1' too (capture other, pid 4711 there)"), std::string::npos) << *said;
    EXPECT_NE(said->find("--host"), std::string::npos) << *said;
    EXPECT_FALSE(watch.see(entry("other", 5)));
    EXPECT_FALSE(watch.see(entry("third", 6)));
    EXPECT_TRUE(watch.see(entry("third", 7)));
}

TEST(TwinWatch, OneThatHasEndedIsNone) {
    TwinWatch watch("own");
    EXPECT_FALSE(watch.see(entry("before", 1)));
    fleet::RunEntry ended = entry("before", 2);
    ended.ended_ns = 2;
    EXPECT_FALSE(watch.see(ended));
    EXPECT_FALSE(watch.see(entry("own", 3)));
}

}  // namespace
}  // namespace sla::member
