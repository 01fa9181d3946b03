#include "agent/linux/perf/perf_event.h"

#include <gtest/gtest.h>

namespace sla::linux {
namespace {

TEST(PerfEvent, TheKernelsListOfCpusNeedNotBeInARow) {
    EXPECT_EQ(parse_cpu_list("0-3\n"), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(parse_cpu_list("0,2-3,7"), (std::vector<int>{0, 2, 3, 7}));
    EXPECT_EQ(parse_cpu_list("5"), (std::vector<int>{5}));
    EXPECT_TRUE(parse_cpu_list("").empty());
    EXPECT_TRUE(parse_cpu_list("none,-1,3-2,0-99999999").empty());
    EXPECT_FALSE(online_cpus().empty());
}

TEST(PerfEvent, ARefusalCarriesTheKernelsNumber) {
    perf_event_attr odd = perf_attribute(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    odd.read_format = ~std::uint64_t{0};
    const auto opened = open_perf_event(odd, 0, -1, "a clock");
    const auto* refusal = std::get_if<PerfRefusal>(&opened);
    ASSERT_NE(refusal, nullptr);
    EXPECT_NE(refusal->number, 0);
}

}  // namespace
}  // namespace sla::linux
