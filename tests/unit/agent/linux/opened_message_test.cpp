#include "agent/linux/tracefs/opened_message.h"

#include "agent/linux/unique_fd.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace sla::linux {
namespace {

// The hang-up is a read of nothing, which leaves errno as an interrupted call before it left it.
TEST(OpenedMessageDeathTest, AHangUpIsSeenAlsoAfterACallThatASignalInterrupted) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const UniqueFd ours(ends[0]);
    ASSERT_EQ(::write(ends[1], "x", 1), 1) << "what comes before it is no hang-up";
    ::close(ends[1]);
    EXPECT_EXIT(
        {
            ::alarm(5);
            errno = EINTR;
            wait_for_hang_up(ours.get());
            ::_exit(0);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sla::linux
