#include "agent/service/activation.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <map>

namespace sla::service {
namespace {

using Kind = PassedSocket::Kind;

Environment saying(std::map<std::string, std::string> variables) {
    return [variables](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
}

TEST(PassedDescriptors, AreNoneWithoutAServiceManager) {
    const auto count = count_passed(saying({}), 7);
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(*count, 0);
}

TEST(PassedDescriptors, AreOursOnlyIfOurPidIsNamed) {
    EXPECT_EQ(*count_passed(saying({{"LISTEN_PID", "7"}, {"LISTEN_FDS", "2"}}), 7), 2);
    EXPECT_EQ(*count_passed(saying({{"LISTEN_PID", "8"}, {"LISTEN_FDS", "2"}}), 7), 0);
    EXPECT_EQ(*count_passed(saying({{"LISTEN_FDS", "2"}}), 7), 0);
}

TEST(PassedDescriptors, AreRefusedWhenTheyAreNoNumber) {
    for (const char* count : {"", "-1", "2x", "99999999999", "1000", " 2"}) {
        EXPECT_FALSE(count_passed(saying({{"LISTEN_PID", "7"}, {"LISTEN_FDS", count}}), 7).ok()) << count;
    }
    EXPECT_FALSE(count_passed(saying({{"LISTEN_PID", "seven"}, {"LISTEN_FDS", "1"}}), 7).ok());
}

TEST(PassedDescriptors, AreTakenOutOfTheEnvironment) {
    ::setenv("LISTEN_FDS", "3", 1);
    EXPECT_EQ(take_variable("LISTEN_FDS"), "3");
    EXPECT_EQ(::getenv("LISTEN_FDS"), nullptr);
}

// Listening sockets at numbers next to each other, as a service manager passes them.
class PassedSockets : public testing::Test {
protected:
    ~PassedSockets() override {
        for (int fd = first_; fd < next_; fd++) ::close(fd);
    }
    void pass(int domain, int type, bool listens, const std::string& path = "") {
        const int fd = ::socket(domain, type, 0);
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
        if (!path.empty()) {
            ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
        }
        if (listens) {
            ASSERT_EQ(::listen(fd, 1), 0);
        }
        ASSERT_EQ(::dup2(fd, next_), next_);
        next_++;
        ::close(fd);
    }
    support::TempDir directory_;
    const int first_ = 300;
    int next_ = first_;
};

TEST_F(PassedSockets, AreToldApartByWhatTheyAre) {
    pass(AF_UNIX, SOCK_SEQPACKET, true, directory_.file("programs"));
    pass(AF_UNIX, SOCK_STREAM, true, directory_.file("clients"));
    pass(AF_INET, SOCK_STREAM, true);
    const auto sockets = look_at_passed(first_, 3);
    ASSERT_TRUE(sockets.ok()) << sockets.error().message;
    EXPECT_EQ((*sockets)[0].kind, Kind::kPrograms);
    EXPECT_EQ((*sockets)[0].path, directory_.file("programs"));
    EXPECT_EQ((*sockets)[1].kind, Kind::kLocalClients);
    EXPECT_EQ((*sockets)[1].path, directory_.file("clients"));
    EXPECT_EQ((*sockets)[2].kind, Kind::kTcpClients);
    for (const PassedSocket& socket : *sockets) EXPECT_EQ(::fcntl(socket.fd, F_GETFD), FD_CLOEXEC);
}

TEST_F(PassedSockets, ThatDoNotListenOrAreNotThereAreNamed) {
    pass(AF_UNIX, SOCK_STREAM, true, directory_.file("clients"));
    pass(AF_UNIX, SOCK_STREAM, false);
    const auto sockets = look_at_passed(first_, 2);
    ASSERT_FALSE(sockets.ok());
    EXPECT_NE(sockets.error().message.find("descriptor 301"), std::string::npos) << sockets.error().message;
    EXPECT_FALSE(look_at_passed(302, 1).ok());
}

}  // namespace
}  // namespace sla::service
