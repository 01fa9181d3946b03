#include "agent/daemon/runtime_lock.h"

#include "tests/support/with_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

namespace sla::daemon {
namespace {

using std::chrono::milliseconds;

class RuntimeLocks : public support::WithDirectory {
protected:
    void SetUp() override { setenv("SLA_RUNTIME_DIR", file("run").c_str(), 1); }
    void TearDown() override { unsetenv("SLA_RUNTIME_DIR"); }
};

TEST_F(RuntimeLocks, ASecondAgentIsRefusedWithTheNameOfTheFirst) {
    const auto first = RuntimeLock::take();
    ASSERT_TRUE(first.ok()) << first.error().message;
    const auto second = RuntimeLock::take(milliseconds(0));
    ASSERT_FALSE(second.ok());
    EXPECT_NE(second.error().message.find("(pid " + std::to_string(getpid()) + ")"), std::string::npos);
}

TEST_F(RuntimeLocks, AnAgentThatWasAskedToEndAndHasNotSaidSoYetIsWaitedFor) {
    auto first = RuntimeLock::take();
    ASSERT_TRUE(first.ok()) << first.error().message;
    std::thread ends([&] {
        std::this_thread::sleep_for(milliseconds(50));
        const RuntimeLock ended = std::move(*first);
    });
    const auto second = RuntimeLock::take(std::chrono::minutes(1));
    ends.join();
    EXPECT_TRUE(second.ok()) << second.error().message;
}

TEST_F(RuntimeLocks, ADirectoryThatIsOpenToOthersIsRefused) {
    ASSERT_EQ(mkdir(file("run").c_str(), 0777), 0);
    ASSERT_EQ(chmod(file("run").c_str(), 0777), 0);
    const auto lock = RuntimeLock::take(milliseconds(0));
    ASSERT_FALSE(lock.ok());
    EXPECT_NE(lock.error().message.find("chmod 700"), std::string::npos);
}

}  // namespace
}  // namespace sla::daemon
