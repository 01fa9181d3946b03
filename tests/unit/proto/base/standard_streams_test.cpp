#include "proto/base/standard_streams.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace sla {
namespace {

// Of a child in which the three are closed: is a file that is opened then none of them, and does nothing come out of them?
bool are_held() {
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int stream : {0, 1, 2}) ::close(stream);
        hold_standard_streams();
        const bool is_apart = ::open("/dev/null", O_RDWR) > 2;
        char byte = 'x';
        bool fails = ::read(0, &byte, 1) == -1 && errno == EBADF;
        for (const int stream : {1, 2}) fails = fails && ::write(stream, &byte, 1) == -1 && errno == EBADF;
        ::_exit(is_apart && fails ? 0 : 1);
    }
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(StandardStreams, ThatAreClosedAreNoFilesThatAreOpenedLater) {
    EXPECT_TRUE(are_held());
}

TEST(StandardStreams, ThatAreOpenStayAsTheyAre) {
    EXPECT_EQ(::write(STDERR_FILENO, "", 0), 0);
    hold_standard_streams();
    EXPECT_EQ(::write(STDERR_FILENO, "", 0), 0);
}

}  // namespace
}  // namespace sla
