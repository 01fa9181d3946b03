#include "viewer/store/host_texts.h"

#include <gtest/gtest.h>

namespace sla::store {
namespace {

void add_hosts(Session& session, int hosts) {
    for (int i = 1; i <= hosts; ++i) {
        Host host;
        host.id = static_cast<std::uint32_t>(i);
        host.name = "h" + std::to_string(i);
        host.placed_by = "pings";
        host.errors.steps = {{0, i * 1'000'000}};
        session.add_host(std::move(host));
    }
}

TEST(ClockRemarks, AFewHostsHaveALineEach) {
    Session session;
    add_hosts(session, 20);
    const std::vector<std::string> lines = clock_remarks(session);
    ASSERT_EQ(lines.size(), 20u);
    EXPECT_EQ(lines.front(), "'h1' was placed by pings, within \u00b1 1 \u00b5s");
}

TEST(ClockRemarks, OfALargeFleetThoseThatWerePlacedWorstAreNamed) {
    Session session;
    add_hosts(session, 1100);
    const std::vector<std::string> lines = clock_remarks(session);
    ASSERT_EQ(lines.size(), 21u);
    EXPECT_EQ(lines.front(), "'h1100' was placed by pings, within \u00b1 1.1 ms");
    EXPECT_EQ(lines.back(), "and 1080 more hosts were placed as well as the last of these or better");
}

}  // namespace
}  // namespace sla::store
