// Where the sockets of running PCs are found, and what is done with those of PCs that were killed.
#include "emu/control/control_path.h"

#include "proto/base/guest_socket.h"
#include "tests/support/temporary_path.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace sla::control {
namespace {

namespace fs = std::filesystem;

// A bound socket of that name; without `listening` as one that was killed leaves it.
void bind_socket(const fs::path& path, bool listening = false) {
    const auto address = socket_address(path.string());
    ASSERT_TRUE(address.ok());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&*address), sizeof *address), 0);
    if (listening) {
        ASSERT_EQ(::listen(socket, 1), 0);
    } else {
        ::close(socket);
    }
}

std::string number_of_one_that_ended() {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(0);
    ::waitpid(process, nullptr, 0);
    return std::to_string(process);
}

class ControlPath : public testing::Test {
protected:
    void SetUp() override {
        if (const char* const before = std::getenv("SLA_RUNTIME_DIR")) before_ = before;
        setenv("SLA_RUNTIME_DIR", directory_.path.c_str(), 1);
        fs::create_directories(directory_.path);
        fs::permissions(directory_.path, fs::perms::owner_all);
    }
    void TearDown() override { before_ ? setenv("SLA_RUNTIME_DIR", before_->c_str(), 1) : unsetenv("SLA_RUNTIME_DIR"); }
    [[nodiscard]] fs::path socket_of(const std::string& process) const {
        return directory_.path / guest_socket_leaf(process);
    }

private:
    const support::TemporaryPath directory_{"control"};
    std::optional<std::string> before_;
};

TEST_F(ControlPath, OfPcsThatWereKilledAreTakenAwayByTheNextOne) {
    const std::string killed = number_of_one_that_ended();
    const std::string running = std::to_string(::getppid());
    const std::string elsewhere = number_of_one_that_ended();
    bind_socket(socket_of(killed));
    bind_socket(socket_of(running));
    bind_socket(socket_of(elsewhere), true);
    std::ofstream(socket_of("x"), std::ios::out) << "of somebody";
    const auto own = own_socket_path();
    ASSERT_TRUE(own.ok()) << own.error().message;
    EXPECT_EQ(*own, socket_of(std::to_string(::getpid())).string());
    EXPECT_FALSE(fs::exists(socket_of(killed)));
    EXPECT_TRUE(fs::exists(socket_of(running))) << "it may have just begun";
    EXPECT_TRUE(fs::exists(socket_of(elsewhere))) << "of a container, whose numbers are its own";
    EXPECT_TRUE(fs::exists(socket_of("x")));
}

}  // namespace
}  // namespace sla::control
