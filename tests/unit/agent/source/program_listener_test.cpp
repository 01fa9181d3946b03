// What peers may say on the programs' socket.
#include "agent/source/program_listener.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iterator>

namespace sla::source {
namespace {

std::ptrdiff_t descriptors_of_this_process() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

// Connects, and sends `size` bytes with a descriptor of its own.
int say_with_descriptor(const std::string& path, std::size_t size) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
    const int peer = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(peer, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    char words[16] = "not a hello";
    iovec data{words, size};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int given = STDERR_FILENO;
    std::memcpy(CMSG_DATA(rights), &given, sizeof given);
    EXPECT_EQ(::sendmsg(peer, &message, MSG_NOSIGNAL), static_cast<ssize_t>(size));
    return peer;
}

TEST(ProgramListener, KeepsNoDescriptorOfAPeerThatSaysNothingOrNonsense) {
    const support::TempDir directory;
    boost::asio::io_context io;
    int programs = 0;
    ProgramListener listener(
        io, [&](const std::shared_ptr<Program>&) { ++programs; }, [](const std::string&) {});
    ASSERT_TRUE(listener.listen(directory.file("programs")).ok());
    io.poll();
    const std::ptrdiff_t before = descriptors_of_this_process();
    for (int i = 0; i < 50; i++) {
        for (const std::size_t size : {0, 11}) {
            const int peer = say_with_descriptor(directory.file("programs"), size);
            io.restart();
            io.poll();
            ::close(peer);
            io.restart();
            io.poll();
        }
    }
    EXPECT_LE(descriptors_of_this_process(), before + 2);
    EXPECT_EQ(programs, 0);
}

}  // namespace
}  // namespace sla::source
