// The places of those who are served, and those who have not logged in: neither takes the other's.
#include <utility>  // before Asio, which forgets it

#include "agent/stream/server.h"
#include "proto/common/tls/certificate.h"
#include "proto/common/tls/private_file.h"
#include "proto/common/tls/secret.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/version.h"
#include "tests/support/process.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <filesystem>

namespace sla::stream {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;
using Unix = boost::asio::local::stream_protocol;

class ServerOverTls : public testing::Test {
protected:
    ServerOverTls() : retention_(retain::Limits{}), server_(io_, retention_, {}) {
        spdlog::set_level(spdlog::level::err);
        const auto made = tls::make_certificate({"agent"}, 1);
        EXPECT_TRUE(tls::write_private(files_.certificate, made->certificate).ok());
        EXPECT_TRUE(tls::write_private(files_.key, made->key).ok());
        allow("ann");
        const auto bound = server_.listen(*wire::parse_address("tls:127.0.0.1:0"));
        EXPECT_TRUE(bound.ok()) << bound.error().message;
        port_ = bound->port;
        EXPECT_TRUE(server_.listen(*wire::parse_address("unix:" + directory_.file("s"))).ok());
    }
    void allow(const std::string& name) {
        AccessList list;
        EXPECT_TRUE(list.add({Role::kLooker, AccessEntry::By::kToken, tls::hash_of("good"), name}).ok());
        EXPECT_TRUE(list.write(files_.access).ok());
        EXPECT_TRUE(server_.read_access(files_).ok());
    }
    template <typename Condition>
    bool run_until(Condition condition) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!condition() && std::chrono::steady_clock::now() < limit) {
            io_.restart();
            io_.run_one_for(std::chrono::milliseconds(100));
        }
        return condition();
    }
    // A client that has logged in and asked for the stream; what it receives is in `received`.
    struct Client {
        explicit Client(boost::asio::io_context& io) : transport(io) {}
        tls::Transport transport;
        std::string sent;
        std::array<char, 4096> buffer{};
        std::string received;
        bool is_over = false;

        void read_more() {
            transport.read_some(boost::asio::buffer(buffer), [this](const error_code& error, std::size_t n) {
                received.append(buffer.data(), n);
                is_over = static_cast<bool>(error);
                if (!is_over) read_more();
            });
        }
    };
    std::unique_ptr<Client> log_in(bool listens = true) {
        auto client = std::make_unique<Client>(io_);
        Client* const one = client.get();
        wire::Request login;
        login.mutable_login()->set_token("good");
        wire::Request subscribe;
        subscribe.mutable_subscribe()->set_version(wire::kControlVersion);
        subscribe.mutable_subscribe()->set_reads(wire::kWireVersion);
        one->sent = wire::encode_frame(login) + wire::encode_frame(subscribe);
        one->transport.socket().connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port_));
        one->transport.start_tls(context_).handshake(tls::Stream::End::kClient, [one, listens](const error_code& error) {
            ASSERT_FALSE(error) << error.message();
            one->transport.write({boost::asio::buffer(one->sent)}, [one, listens](const error_code&, std::size_t) {
                if (listens) one->read_more();
            });
        });
        return client;
    }
    ~ServerOverTls() override {
        server_.close_sessions();
        server_.stop_listening();
        io_.restart();
        io_.poll();
    }

    support::TempDir directory_;
    TlsFiles files_{directory_.file("cert"), directory_.file("key"), directory_.file("access")};
    boost::asio::io_context io_;
    tls::Context context_ = *tls::Context::for_client(nullptr);
    retain::Retention retention_;
    Server server_;
    std::uint16_t port_ = 0;
};

TEST_F(ServerOverTls, StrangersTakeNobodysPlace) {
    std::vector<tcp::socket> strangers;
    for (std::size_t i = 0; i < kMaxSessions + 50; i++) {
        strangers.emplace_back(io_);
        strangers.back().connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port_));
    }
    const auto guest = log_in();
    ASSERT_TRUE(run_until([&] { return server_.session_count() == 1; }));
    EXPECT_EQ(server_.logins().admitted, 1U);
    guest->transport.close();
    ASSERT_TRUE(run_until([&] { return guest->is_over; }));
}

TEST_F(ServerOverTls, WhoComesWhenAllPlacesAreTakenGetsThatAnswer) {
    std::vector<Unix::socket> clients;
    for (std::size_t i = 0; i < kMaxSessions; i++) {
        clients.emplace_back(io_);
        clients.back().connect(Unix::endpoint(directory_.file("s")));
    }
    ASSERT_TRUE(run_until([&] { return server_.session_count() == kMaxSessions; }));
    const auto guest = log_in();
    ASSERT_TRUE(run_until([&] { return guest->is_over; }));
    EXPECT_NE(guest->received.find("224 clients are connected already"), std::string::npos);
}

TEST_F(ServerOverTls, GuestsLeaveTheOwnerPlaces) {
    wire::Address address;
    address.family = wire::Address::Family::kTcp;
    address.host = "127.0.0.1";
    const Result<wire::Address> bound = server_.listen(address);
    ASSERT_TRUE(bound) << bound.error().message;
    std::vector<tcp::socket> guests;
    for (std::size_t i = 0; i < kMaxSessions; i++) {
        guests.emplace_back(io_);
        guests.back().connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), bound->port));
    }
    ASSERT_TRUE(run_until([&] { return server_.session_count() == kMaxSessions - kPlacesOfOwner; }));
    Unix::socket owner(io_);
    owner.connect(Unix::endpoint(directory_.file("s")));
    ASSERT_TRUE(run_until([&] { return server_.session_count() == kMaxSessions - kPlacesOfOwner + 1; }));
}

TEST_F(ServerOverTls, AnotherCertificateOrRoleUnderTheSameNameEndsTheOldOnesStream) {
    const auto guest = log_in();
    ASSERT_TRUE(run_until([&] { return server_.session_count() == 1; }));
    EXPECT_TRUE(server_.read_access(files_).ok());
    EXPECT_EQ(server_.session_count(), 1U) << "nothing has changed";
    allow("bob");
    ASSERT_TRUE(run_until([&] { return guest->is_over; }));
    EXPECT_NE(guest->received.find("what let it in was revoked"), std::string::npos);
    EXPECT_EQ(server_.session_count(), 0U);
}

TEST_F(ServerOverTls, WhoWasRevokedIsEndedAlsoWhileTheCertificateCannotBeRead) {
    const auto guest = log_in();
    ASSERT_TRUE(run_until([&] { return server_.session_count() == 1; }));
    ASSERT_TRUE(AccessList().write(files_.access));
    ASSERT_TRUE(std::filesystem::remove(files_.certificate));
    EXPECT_FALSE(server_.read_access(files_).ok());
    EXPECT_EQ(server_.session_count(), 1U);
    EXPECT_TRUE(server_.read_access_list(files_.access).ok());
    ASSERT_TRUE(run_until([&] { return guest->is_over; }));
    EXPECT_EQ(server_.session_count(), 0U);
}

// Else it would see a connection that is cut off, and try again.
TEST_F(ServerOverTls, WhoIsEndedInTheMiddleOfAWriteReceivesWhyBehindIt) {
    constexpr int kMoreThanSocketsHold = 400;
    for (int i = 0; i < kMoreThanSocketsHold; i++) {
        wire::Frame frame;
        frame.mutable_notice()->set_text(std::string(60'000, 'x'));
        retention_.announce(wire::encode_frame(frame));
    }
    const auto guest = log_in(false);
    ASSERT_TRUE(run_until([&] { return server_.session_count() == 1; }));
    ASSERT_TRUE(run_until([&] { return io_.poll() == 0; }));  // the write stalls
    allow("bob");
    guest->read_more();
    ASSERT_TRUE(run_until([&] { return guest->is_over; }));
    EXPECT_NE(guest->received.find("what let it in was revoked"), std::string::npos);
}

}  // namespace
}  // namespace sla::stream
