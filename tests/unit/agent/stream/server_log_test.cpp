// What strangers can make the server write into the log.
#include "agent/stream/server.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace sla::stream {
namespace {

using testing::HasSubstr;

class ServerLog : public testing::Test {
protected:
    ServerLog() {
        spdlog::set_default_logger(
            std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_)));
        wire::Address any;
        any.family = wire::Address::Family::kTcp;
        any.host = "127.0.0.1";
        const Result<wire::Address> bound = server_.listen(any);
        if (bound.ok()) port_ = bound->port;
    }
    ~ServerLog() override {
        server_.close_sessions();
        turn();
        spdlog::set_default_logger(before_);
    }
    // Connects, says this, and goes.
    void visit(const std::string& words) {
        const int peer = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in name{};
        name.sin_family = AF_INET;
        name.sin_port = htons(port_);
        name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ASSERT_EQ(::connect(peer, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
        ASSERT_EQ(::send(peer, words.data(), words.size(), MSG_NOSIGNAL), static_cast<ssize_t>(words.size()));
        turn();
        ::close(peer);
        turn();
    }
    void turn() {
        io_.restart();
        io_.poll();
    }
    [[nodiscard]] std::ptrdiff_t lines() const {
        const std::string text = log_.str();
        return std::count(text.begin(), text.end(), '\n');
    }

    std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
    std::ostringstream log_;
    boost::asio::io_context io_;
    retain::Retention retention_{{}};
    Server server_{io_, retention_, {}};
    std::uint16_t port_ = 0;
};

TEST_F(ServerLog, IsNotFilledByWhoTalksNonsense) {
    for (int i = 0; i < 300; i++) visit(std::string(16, '\xff'));
    EXPECT_THAT(log_.str(), HasSubstr("a client of this machine was disconnected: the stream is broken"));
    EXPECT_LE(lines(), 20);
}

TEST_F(ServerLog, IsNotFilledByWhoComesAndGoesAndNamesAreOneLine) {
    wire::Request request;
    request.mutable_subscribe()->set_version(wire::kControlVersion);
    request.mutable_subscribe()->set_reads(wire::kWireVersion);
    request.mutable_subscribe()->set_client("a\n<0>b\x1b[2J");
    for (int i = 0; i < 300; i++) visit(wire::encode_frame(request));
    EXPECT_THAT(log_.str(), HasSubstr("a?<0>b?[2J joined"));
    EXPECT_LE(lines(), 20);
}

}  // namespace
}  // namespace sla::stream
