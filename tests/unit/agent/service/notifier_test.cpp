#include "agent/service/notifier.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace sla::service {
namespace {

Environment with_socket(const std::string& address) {
    return [address](const char* name) {
        return std::strcmp(name, "NOTIFY_SOCKET") == 0 ? std::optional(address) : std::nullopt;
    };
}

class Manager {
public:
    explicit Manager(const std::string& address) : fd_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        std::memcpy(name.sun_path, address.data(), address.size());
        if (address[0] == '@') name.sun_path[0] = '\0';
        const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
        EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&name), length), 0);
    }
    ~Manager() { ::close(fd_); }
    std::string received() const {
        std::array<char, 512> text{};
        const ssize_t got = ::recv(fd_, text.data(), text.size(), MSG_DONTWAIT);
        return {text.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
    }

private:
    int fd_;
};

TEST(Notifier, ReportsToTheManagerEachChange) {
    const support::TempDir directory;
    const Manager manager(directory.file("notify"));
    Notifier notifier(with_socket(directory.file("notify")));
    ASSERT_TRUE(notifier.is_asked_for());
    EXPECT_TRUE(notifier.ready("on\nREADY=0").ok());
    EXPECT_EQ(manager.received(), "READY=1\nSTATUS=on READY=0");
    EXPECT_TRUE(notifier.reloading(123).ok());
    EXPECT_EQ(manager.received(), "RELOADING=1\nMONOTONIC_USEC=123");
    EXPECT_TRUE(notifier.stopping("asked to").ok());
    EXPECT_EQ(manager.received(), "STOPPING=1\nSTATUS=asked to");
}

TEST(Notifier, KnowsAbstractNames) {
    const std::string name = "@sla-notifier-test-" + std::to_string(::getpid());
    const Manager manager(name);
    EXPECT_TRUE(Notifier(with_socket(name)).ready("").ok());
    EXPECT_EQ(manager.received(), "READY=1\nSTATUS=");
}

TEST(Notifier, IsSilentWhereNobodyAsked) {
    Notifier notifier([](const char*) { return std::nullopt; });
    EXPECT_FALSE(notifier.is_asked_for());
    EXPECT_TRUE(notifier.ready("").ok());
}

TEST(Notifier, SaysWhenTheManagerIsNotThereOrTheAddressIsNone) {
    const support::TempDir directory;
    EXPECT_NE(Notifier(with_socket(directory.file("none"))).ready("").error().message.find("cannot tell"),
              std::string::npos);
    EXPECT_FALSE(Notifier(with_socket("relative")).ready("").ok());
    EXPECT_FALSE(Notifier(with_socket("/" + std::string(200, 'x'))).ready("").ok());
}

}  // namespace
}  // namespace sla::service
