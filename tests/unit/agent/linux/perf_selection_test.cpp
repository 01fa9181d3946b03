#include "agent/linux/perf/perf_selection.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace sla::linux {
namespace {

TEST(WatchRequest, NamesAProcessASymbolAndAnAccess) {
    const auto plain = parse_watch("42:counter");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->pid, 42);
    EXPECT_EQ(plain->symbol, "counter");
    EXPECT_EQ(plain->access, WatchedAccess::kWrite);
    EXPECT_EQ(parse_watch("42:counter:rw")->access, WatchedAccess::kReadWrite);
    EXPECT_EQ(parse_watch("42:main:x")->access, WatchedAccess::kExecute);
    const auto scoped = parse_watch("42:ns::counter:w");
    ASSERT_TRUE(scoped);
    EXPECT_EQ(scoped->symbol, "ns::counter");
    EXPECT_EQ(parse_watch("42:ns::counter")->symbol, "ns::counter");
}

TEST(WatchRequest, SaysWhatIsWrong) {
    for (const char* typed : {"", "counter", ":counter", "x:counter", "0:counter", "42:", "99999999999:c"})
        EXPECT_FALSE(parse_watch(typed)) << typed;
    const auto reads = parse_watch("42:counter:r");
    ASSERT_FALSE(reads);
    EXPECT_NE(reads.error().message.find("no reads alone"), std::string::npos);
}

TEST(SampleRequest, ReadsTimesAndNumbersOfEvents) {
    EXPECT_EQ(parse_sample("time")->every, 1'000'000u);
    EXPECT_EQ(parse_sample("time:250us")->every, 250'000u);
    EXPECT_EQ(parse_sample("page-faults:10")->every, 10u);
    EXPECT_EQ(parse_sample("cycles")->type, std::uint32_t{PERF_TYPE_HARDWARE});
    const auto raw = parse_sample("raw-01c2:5000");
    ASSERT_TRUE(raw);
    EXPECT_EQ(raw->type, std::uint32_t{PERF_TYPE_RAW});
    EXPECT_EQ(raw->config, 0x1c2u);
}

TEST(SampleRequest, SaysWhatThereIs) {
    for (const char* typed : {"", "coffee", "raw-", "raw-xyz", "time:1us", "page-faults:0", "page-faults:ten"})
        EXPECT_FALSE(parse_sample(typed)) << typed;
    EXPECT_NE(parse_sample("coffee").error().message.find("page-faults"), std::string::npos);
}

}  // namespace
}  // namespace sla::linux
