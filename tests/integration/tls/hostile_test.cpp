// Connections that mean no good, beside an honest client that loses nothing.
#include "tests/integration/tls/tls_fixture.h"

#include "viewer/ingest/open.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <map>
#include <random>
#include <thread>

namespace sla {
namespace {

using support::eventually;

class Hostile : public OverTls {
protected:
    ~Hostile() override {
        over_ = true;
        for (std::thread& thread : threads_) thread.join();
        for (const int fd : held_) ::close(fd);
    }
    // -1: not taken.
    int knock() {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port_)));
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return fd;
        ::close(fd);
        return -1;
    }
    // 400 connections: some say nothing, some garbage, some the begin of a handshake, byte by byte; half stay open.
    void storm(unsigned seed) {
        std::mt19937 random(seed);
        std::vector<int> slow;
        for (int i = 0; i < 400 && !over_; i++) {
            const int fd = knock();
            if (fd < 0) continue;
            std::string bytes(random() % 3000, '\0');
            for (char& byte : bytes) byte = static_cast<char>(random());
            if (i % 4 == 1) bytes.insert(0, "\x16\x03\x01");
            if (i % 4 == 2) bytes = "GET / HTTP/1.1\r\n\r\n";
            if (i % 4 != 3) (void)!::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            slow.push_back(fd);
            for (const int held : slow) (void)!::send(held, "\x16", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (slow.size() <= 200) continue;
            ::close(slow.front());
            slow.erase(slow.begin());
        }
        const std::lock_guard lock(mutex_);
        held_.insert(held_.end(), slow.begin(), slow.end());
    }
    [[nodiscard]] std::uint64_t resident_kib() {
        std::ifstream status("/proc/" + std::to_string(agent_.process().pid()) + "/status");
        for (std::string word; status >> word;) {
            if (word == "VmRSS:") {
                std::uint64_t kib = 0;
                status >> kib;
                return kib;
            }
        }
        return 0;
    }

    std::string port_;
    std::atomic<bool> over_{false};
    std::mutex mutex_;
    std::vector<int> held_;
    std::vector<std::thread> threads_;
};

TEST_F(Hostile, ConnectionsCostBoundedMemoryAndNobodyElseAnything) {
    const std::string token = make_token("look", "ann");
    start_agent();
    port_ = port();
    [[maybe_unused]] const std::uint64_t before = resident_kib();
    Process record({SLA_BINARIES "/sla", "record", "--address", address(), "-o", agent_.file("honest.sla")},
                   client_environment(token));
    ASSERT_TRUE(eventually([&] { return has(agent_.process().errors(), " joined"); })) << record.errors();
    for (unsigned seed = 1; seed <= 2; seed++) threads_.emplace_back([this, seed] { storm(seed); });
    std::map<std::string, std::string> environment = agent_.environment();
    environment["SLA_RING_SLOTS"] = "65536";  // hold it all: that the agent gets no processor for a while is not their doing
    Process program({SLA_TEST_MARKER, "burst", "2", "2", "20000"}, environment);
    EXPECT_EQ(program.wait().code, 0) << program.errors();
    // From their address: where it gets no processor for as long as 64 of them take to begin a handshake, it is the oldest that goes.
    Said newcomer;
    for (int tries = 0; tries == 0 || (newcomer.code != 0 && tries < 3); tries++)
        newcomer = sla({"sql", address(), "SELECT count(*) > 0 AS n FROM channels"}, token);
    EXPECT_EQ(newcomer.code, 0) << "it comes in while they are there: " << newcomer.errors;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // their shadows are several times what they watch
    EXPECT_LT(resident_kib(), before + 64 * 1024);
#endif
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(record.wait().code, 0) << record.errors();
    store::Session session;
    ASSERT_TRUE(ingest::load(agent_.file("honest.sla"), session).ok());
    EXPECT_EQ(session.events(), 80'000U);
    EXPECT_EQ(session.lost(), 0U);
}

TEST_F(Hostile, TokensInARowTakeLongerEachTimeAndTheRightOneStillDoes) {
    const std::string token = make_token("look", "ann");
    start_agent();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; i++) EXPECT_EQ(sla({"channels", address()}, "wrong").code, 3);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(250 + 500 + 1000));
    EXPECT_EQ(sla({"sql", address(), "SELECT 1"}, token).code, 0);
    const std::string said = agent_.process().errors();
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = said.find("failed: ", at)) != std::string::npos; at++) lines++;
    const auto took = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
    EXPECT_LE(lines, 1U + static_cast<std::size_t>(took.count()) / 10) << "not a line for each: " << said;
}

}  // namespace
}  // namespace sla
