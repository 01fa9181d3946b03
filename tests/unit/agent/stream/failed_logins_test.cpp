#include "agent/stream/failed_logins.h"

#include <gtest/gtest.h>

namespace sla::stream {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

const FailedLogins::Time kStart{seconds(1000)};

TEST(FailedLogins, CostMoreEachTimeUpToABound) {
    FailedLogins failed;
    for (const int expected : {250, 500, 1000, 2000, 4000, 8000, 8000, 8000}) {
        EXPECT_EQ(failed.add("192.0.2.1", kStart), milliseconds(expected));
    }
}

TEST(FailedLogins, OfOneAddressCostNoOther) {
    FailedLogins failed;
    for (int i = 0; i < 10; i++) failed.add("192.0.2.1", kStart);
    EXPECT_EQ(failed.add("192.0.2.2", kStart), FailedLogins::kFirstDelay);
}

TEST(FailedLogins, AreForgottenAfterAWhile) {
    FailedLogins failed;
    failed.add("192.0.2.1", kStart);
    EXPECT_EQ(failed.add("192.0.2.1", kStart + minutes(10) - seconds(1)), milliseconds(500));
    EXPECT_EQ(failed.add("192.0.2.1", kStart + minutes(20)), milliseconds(250));
}

TEST(FailedLogins, OfManyAddressesForgetTheOneThatFailedLongestAgo) {
    FailedLogins failed;
    failed.add("first", kStart);
    failed.add("second", kStart + seconds(1));
    failed.add("first", kStart + seconds(2));
    for (std::size_t i = 0; i < FailedLogins::kMaxAddresses - 1; i++) failed.add(std::to_string(i), kStart + seconds(3));
    EXPECT_EQ(failed.addresses(), FailedLogins::kMaxAddresses);
    EXPECT_EQ(failed.add("first", kStart + seconds(4)), milliseconds(1000)) << "second was the older one";
}

}  // namespace
}  // namespace sla::stream
