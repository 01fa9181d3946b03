#include "proto/base/terminal_size.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace sla {
namespace {

TEST(TerminalSize, IsWhatTheTerminalSays) {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal, 0);
    EXPECT_FALSE(terminal_size(terminal)) << "a new one has no size yet";
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 80;
    ASSERT_EQ(::ioctl(terminal, TIOCSWINSZ, &size), 0);
    const auto known = terminal_size(terminal);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->rows, 24u);
    EXPECT_EQ(known->columns, 80u);
    size.ws_row = 0;
    ASSERT_EQ(::ioctl(terminal, TIOCSWINSZ, &size), 0);
    EXPECT_EQ(terminal_size(terminal)->columns, 80u);
    ::close(terminal);
}

TEST(TerminalSize, IsNothingForWhatIsNoTerminal) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    EXPECT_FALSE(terminal_size(ends[1]));
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_FALSE(terminal_size(-1));
}

}  // namespace
}  // namespace sla
