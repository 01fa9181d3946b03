// Another user of this machine and this user's agent: the folder is closed, and so is the socket in it.
#include "tests/integration/tls/tls_fixture.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace sla {
namespace {

constexpr uid_t kNobody = 65534;

// Runs in a child that has become nobody: the errno of the connection, 0 when it was taken.
int connects_as_nobody(const std::string& path) {
    const pid_t child = fork();
    if (child == 0) {
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        if (path.size() >= sizeof name.sun_path || setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(255);
        std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        _exit(connect(fd, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 ? 0 : errno);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class OtherUser : public OverTls {
protected:
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
        // What keeps nobody out shall be the agent's doing, not the test's own folder.
        ASSERT_EQ(chmod(agent_.file("").c_str(), 0755), 0);
        ASSERT_TRUE(agent_.start());
        socket_ = agent_.runtime() + "/agent.sock";
    }
    std::string socket_;
};

TEST_F(OtherUser, IsKeptOutByTheFolder) {
    struct stat info {};
    ASSERT_EQ(stat(agent_.runtime().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777U, 0700U);
    EXPECT_EQ(connects_as_nobody(socket_), EACCES);
}

TEST_F(OtherUser, IsKeptOutByTheSocketWhereTheFolderIsOpen) {
    ASSERT_EQ(chmod(agent_.runtime().c_str(), 0755), 0);
    EXPECT_EQ(connects_as_nobody(socket_), EACCES);
    ASSERT_EQ(chmod(socket_.c_str(), 0666), 0);
    EXPECT_EQ(connects_as_nobody(socket_), 0) << "else the test would see a refusal that is none";
}

}  // namespace
}  // namespace sla
