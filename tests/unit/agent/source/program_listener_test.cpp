// What peers may say on the programs' socket.
#include "agent/source/program_listener.h"

#include "tests/support/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sla/ring_abi.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>

namespace sla::source {
namespace {

using testing::HasSubstr;

std::ptrdiff_t descriptors_of_this_process() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

int connect_to(const std::string& path) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
    const int peer = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(peer, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    return peer;
}

// Connects, and sends these bytes with a descriptor.
int say_with_descriptor(const std::string& path, void* words, std::size_t size, int given) {
    const int peer = connect_to(path);
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
    std::memcpy(CMSG_DATA(rights), &given, sizeof given);
    EXPECT_EQ(::sendmsg(peer, &message, MSG_NOSIGNAL), static_cast<ssize_t>(size));
    return peer;
}

TEST(ProgramListener, KeepsNoDescriptorOfAPeerThatSaysNothingOrNonsense) {
    const support::TempDir directory;
    boost::asio::io_context io;
    int programs = 0;
    ProgramListener listener(io, [&](const std::shared_ptr<Program>&) { ++programs; },
                             {[](const std::string&) {}, [](const std::string&) {}});
    ASSERT_TRUE(listener.listen(directory.file("programs")).ok());
    io.poll();
    const std::ptrdiff_t before = descriptors_of_this_process();
    for (int i = 0; i < 50; i++) {
        for (const std::size_t size : {0, 11}) {
            char words[] = "not a hello";
            const int peer = say_with_descriptor(directory.file("programs"), words, size, STDERR_FILENO);
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

// What a listener says of one that sent this hello.
struct Said {
    std::string only_said;
    std::string turned_away;
};

class Hellos : public testing::Test {
protected:
    Said listen_to(const std::function<int(const std::string& path)>& say) {
        Said said;
        const support::TempDir directory;
        boost::asio::io_context io;
        ProgramListener listener(io, [](const std::shared_ptr<Program>&) {},
                                 {[&](const std::string& what) { said.only_said += what; },
                                  [&](const std::string& why) { said.turned_away += why; }});
        EXPECT_TRUE(listener.listen(directory.file("programs")).ok());
        const int peer = say(directory.file("programs"));
        io.poll();
        ::close(peer);
        return said;
    }
    Said listen_to(sla_hello hello) {
        return listen_to([&](const std::string& path) {
            const int peer = connect_to(path);
            EXPECT_EQ(::send(peer, &hello, sizeof hello, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof hello));
            return peer;
        });
    }
    const sla_hello hello_{SLA_HELLO_MAGIC, SLA_ABI_VERSION, 4711, SLA_SEGMENT_BYTES};
};

TEST_F(Hellos, OfAProgramWithoutASegmentOrOfAnotherVersionSayThatSomethingIsLost) {
    sla_hello without = hello_;
    without.segment_bytes = 0;
    EXPECT_THAT(listen_to(without).turned_away,
                HasSubstr("program 4711 was turned away, what it marks is lost: it could make"));
    sla_hello of_another = hello_;
    of_another.version++;
    const Said other = listen_to(
        [&](const std::string& path) { return say_with_descriptor(path, &of_another, sizeof of_another, STDERR_FILENO); });
    EXPECT_THAT(other.turned_away, HasSubstr("what it marks is lost: it was built with another version"));
}

TEST_F(Hellos, ThatPromiseADescriptorAndBringNoneOrNoSegmentLoseNothing) {
    const Said none = listen_to(hello_);
    EXPECT_EQ(none.turned_away, "");
    EXPECT_THAT(none.only_said, HasSubstr("not a hello"));
    sla_hello hello = hello_;
    const Said nonsense =
        listen_to([&](const std::string& path) { return say_with_descriptor(path, &hello, sizeof hello, STDERR_FILENO); });
    EXPECT_EQ(nonsense.turned_away, "");
    EXPECT_THAT(nonsense.only_said, HasSubstr("not a memfd"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Hellos, OfAProgramWhoseSegmentFindsNoAddressesSayThatSomethingIsLost) {
    const int segment = ::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_EQ(::ftruncate(segment, SLA_SEGMENT_BYTES), 0);
    ASSERT_EQ(::fcntl(segment, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    rlimit little = before;
    little.rlim_cur = std::uint64_t{600} << 20;
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &little), 0);
    sla_hello hello = hello_;
    const Said said =
        listen_to([&](const std::string& path) { return say_with_descriptor(path, &hello, sizeof hello, segment); });
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
    ::close(segment);
    EXPECT_THAT(said.turned_away, HasSubstr("what it marks is lost: cannot map a program's segment"));
    EXPECT_EQ(said.only_said, "");
}
#endif

}  // namespace
}  // namespace sla::source
