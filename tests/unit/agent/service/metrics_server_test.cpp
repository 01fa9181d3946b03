#include "agent/service/metrics_server.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace sla::service {
namespace {

// A client that is stepped by the test, as the server is.
class RawClient {
public:
    explicit RawClient(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        std::strncpy(name.sun_path, path.c_str(), sizeof name.sun_path - 1);
        EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    }
    ~RawClient() { ::close(fd_); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    // How much the other side took.
    std::size_t say(const std::string& text) const {
        const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
        return sent > 0 ? static_cast<std::size_t>(sent) : 0;
    }
    const std::string& received() {
        char bytes[65536];
        for (ssize_t got; (got = ::recv(fd_, bytes, sizeof bytes, 0)) >= 0 || errno != EAGAIN;) {
            if (got <= 0) {
                is_over_ = true;
                break;
            }
            received_.append(bytes, static_cast<std::size_t>(got));
        }
        return received_;
    }
    bool is_over() {
        received();
        return is_over_;
    }

private:
    int fd_;
    bool is_over_ = false;
    std::string received_;
};

class MetricsServerTest : public testing::Test {
protected:
    void begin(std::chrono::milliseconds timeout = std::chrono::hours(1)) {
        server_ = std::make_unique<MetricsServer>(
            io_, [] { return "some_metric 1\n"; }, timeout);
        const auto bound = server_->listen(here());
        ASSERT_TRUE(bound.ok()) << bound.error().message;
    }
    wire::Address here() const {
        wire::Address address;
        address.path = path_;
        return address;
    }
    // All that is due.
    void step() {
        io_.restart();
        while (io_.poll() > 0) {
        }
    }
    std::string answer_to(const std::string& request) {
        RawClient client(path_);
        client.say(request);
        step();
        EXPECT_TRUE(client.is_over());
        return client.received();
    }

    support::TempDir directory_;
    std::string path_ = directory_.file("metrics");
    boost::asio::io_context io_;
    std::unique_ptr<MetricsServer> server_;
};

TEST_F(MetricsServerTest, AnswersWithThePage) {
    begin();
    const std::string answer = answer_to("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(answer.rfind("HTTP/1.1 200 OK\r\n", 0), 0U) << answer;
    EXPECT_NE(answer.find("version=0.0.4"), std::string::npos);
    EXPECT_NE(answer.find("\r\n\r\nsome_metric 1\n"), std::string::npos);
    EXPECT_EQ(server_->client_count(), 0U);
}

TEST_F(MetricsServerTest, KnowsNothingElse) {
    begin();
    EXPECT_NE(answer_to("GET / HTTP/1.1\r\n\r\n").find(" 404 "), std::string::npos);
    EXPECT_NE(answer_to("POST /metrics HTTP/1.1\r\nContent-Length: 0\r\n\r\n").find(" 405 "), std::string::npos);
    EXPECT_NE(answer_to("no such thing\r\n\r\n").find(" 400 "), std::string::npos);
    const std::string head = answer_to("HEAD /metrics HTTP/1.1\r\n\r\n");
    EXPECT_NE(head.find(" 200 "), std::string::npos);
    EXPECT_EQ(head.find("some_metric"), std::string::npos);
}

TEST_F(MetricsServerTest, TurnsAHeaderOfAnySizeAwayWithoutReadingItAll) {
    begin();
    RawClient client(path_);
    client.say("GET /metrics HTTP/1.1\r\n");
    std::size_t taken = 0;
    for (int i = 0; i < 10'000 && !client.is_over(); i++) {
        taken += client.say("X-Filler: " + std::string(1000, 'x') + "\r\n");
        step();
    }
    EXPECT_TRUE(client.is_over());
    EXPECT_LT(taken, std::size_t{1} << 20);  // what the sockets hold, and the bound
    EXPECT_EQ(server_->client_count(), 0U);
}

TEST_F(MetricsServerTest, LetsNobodyInKeepOthersOut) {
    begin();
    std::vector<std::unique_ptr<RawClient>> idle;
    for (std::size_t i = 0; i < 10 * MetricsServer::kMaxClients; i++) {
        idle.push_back(std::make_unique<RawClient>(path_));
        idle.back()->say("GET /metr");
        step();
        EXPECT_LE(server_->client_count(), MetricsServer::kMaxClients);
    }
    EXPECT_NE(answer_to("GET /metrics HTTP/1.1\r\n\r\n").find(" 200 "), std::string::npos);
    EXPECT_TRUE(idle.front()->is_over());
    EXPECT_FALSE(idle.back()->is_over());
}

TEST_F(MetricsServerTest, GivesASlowClientUpInTheEnd) {
    begin(std::chrono::milliseconds(1));
    RawClient client(path_);
    io_.restart();
    while (server_->client_count() == 0) io_.run_one();
    while (server_->client_count() > 0) io_.run_one();
    EXPECT_TRUE(client.is_over());
}

TEST_F(MetricsServerTest, ListensWhereOnlyThisMachineCanReachIt) {
    MetricsServer server(io_, [] { return ""; });
    for (const char* address : {"tcp:0.0.0.0:0", "tcp:[::]:0", "tcp:192.0.2.1:0"}) {
        const auto bound = server.listen(*wire::parse_address(address));
        ASSERT_FALSE(bound.ok()) << address;
        EXPECT_NE(bound.error().message.find("loopback"), std::string::npos);
    }
    const auto bound = server.listen(*wire::parse_address("tcp:127.0.0.1:0"));
    ASSERT_TRUE(bound.ok()) << bound.error().message;
    EXPECT_NE(bound->port, 0);
}

TEST_F(MetricsServerTest, LeavesNoSocketBehindAndTakesNobodysPlace) {
    begin();
    MetricsServer second(io_, [] { return ""; });
    const auto taken = second.listen(here());
    ASSERT_FALSE(taken.ok());
    EXPECT_NE(taken.error().message.find("somebody listens on " + path_), std::string::npos) << taken.error().message;
    RawClient client(path_);
    step();
    EXPECT_EQ(server_->client_count(), 1U);
    server_->close();
    EXPECT_TRUE(client.is_over());
    EXPECT_NE(::access(path_.c_str(), F_OK), 0);
    std::ofstream(path_) << "a file of somebody";
    const auto refused = server_->listen(here());
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("is no socket"), std::string::npos) << refused.error().message;
    EXPECT_EQ(::access(path_.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace sla::service
