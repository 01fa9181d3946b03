// Who may do what, by the socket he came through: the rows of the table in agent/stream/README.md.
#include "agent/stream/server.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/version.h"
#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace sla::stream {
namespace {

// One session of a role, and what reached the agent through it.
class Roles : public testing::Test {
protected:
    explicit Roles() : retention_(retain::Limits{}) {
        hooks_.mark = [this](const wire::Mark&, const std::function<void()>&) { done_ += "mark "; };
        hooks_.stop = [this] { done_ += "stop "; };
        hooks_.control = [this](const ControlRequest& control) {
            done_ += control.local ? "owner's " : control.may_set_limits ? "controller's " : "other's ";
        };
        hooks_.ticks_of = [](std::int64_t ns) { return static_cast<std::uint64_t>(ns); };
    }
    // What it says to `request`: what was done, and the words that came back.
    std::string ask(Role role, const wire::Request& request) {
        boost::asio::io_context io;
        boost::asio::local::stream_protocol::socket ours(io);
        boost::asio::local::stream_protocol::socket theirs(io);
        boost::asio::local::connect_pair(ours, theirs);
        done_.clear();
        auto session = std::make_shared<Session>(std::move(theirs), retention_, hooks_, role);
        session->start();
        boost::asio::write(ours, boost::asio::buffer(wire::encode_frame(request)));
        ours.shutdown(boost::asio::socket_base::shutdown_send);
        while (io.run_one() > 0 && session->is_open()) {
        }
        session->close();
        session.reset();
        io.poll();
        std::string bytes;
        boost::system::error_code error;
        boost::asio::read(ours, boost::asio::dynamic_buffer(bytes), error);
        return done_ + words_of(bytes);
    }
    static std::string words_of(const std::string& bytes) {
        wire::FrameDecoder decoder;
        decoder.feed(bytes);
        std::string words;
        for (auto message = decoder.next(); message.ok() && *message; message = decoder.next()) {
            wire::Frame frame;
            if (!frame.ParseFromString(std::string(**message))) continue;
            words += frame.end().reason() + frame.answer().error();
        }
        return words;
    }
    static wire::Request numbered(wire::Request request) {
        request.set_number(7);
        return request;
    }
    static wire::Request mark() {
        wire::Request request;
        request.mutable_mark()->set_channel("x");
        return request;
    }
    static wire::Request stop() {
        wire::Request request;
        request.mutable_stop();
        return request;
    }
    static wire::Request set_trigger() {
        wire::Request request;
        request.mutable_set_trigger()->set_expression("a");
        return numbered(request);
    }
    static wire::Request set_channels() {
        wire::Request request;
        request.mutable_set_channels();
        return numbered(request);
    }
    static wire::Request look() {
        wire::Request request;
        request.mutable_subscribe()->set_version(wire::kControlVersion);
        request.mutable_subscribe()->set_reads(wire::kWireVersion);
        return request;
    }

    retain::Retention retention_;
    SessionHooks hooks_;
    std::string done_;
};

TEST_F(Roles, TheOwnerMayDoEverything) {
    EXPECT_EQ(ask(Role::kOwner, mark()), "mark ");
    EXPECT_EQ(ask(Role::kOwner, stop()), "stop ");
    EXPECT_EQ(ask(Role::kOwner, set_trigger()), "owner's ");
    EXPECT_EQ(ask(Role::kOwner, set_channels()), "owner's ");
    EXPECT_EQ(ask(Role::kOwner, look()), "");
}

TEST_F(Roles, SomebodyOnThisMachineMayMarkAndSetWhatItsContentAllows) {
    EXPECT_EQ(ask(Role::kLocal, mark()), "mark ");
    EXPECT_EQ(ask(Role::kLocal, stop()), "disconnected: Stop is allowed on the Unix socket only");
    EXPECT_EQ(ask(Role::kLocal, set_trigger()), "other's ");
    EXPECT_EQ(ask(Role::kLocal, set_channels()), "other's ");
    EXPECT_EQ(ask(Role::kLocal, look()), "");
}

TEST_F(Roles, WhoShowedThatHeMayControlMayDoAllButStopTheAgent) {
    EXPECT_EQ(ask(Role::kController, mark()), "mark ");
    EXPECT_EQ(ask(Role::kController, stop()), "disconnected: Stop is allowed on the Unix socket only");
    EXPECT_EQ(ask(Role::kController, set_trigger()), "controller's ");
    EXPECT_EQ(ask(Role::kController, set_channels()), "controller's ");
    EXPECT_EQ(ask(Role::kController, look()), "");
}

TEST_F(Roles, ALoginWhereNobodyAsksForOneIsSkipped) {
    wire::Request request;
    request.mutable_login()->set_token("x");
    for (const Role role : {Role::kOwner, Role::kLocal, Role::kLooker, Role::kController}) EXPECT_EQ(ask(role, request), "");
}

TEST_F(Roles, WhoComesFromAnywhereMayOnlyLook) {
    const std::string why =
        "this connection may only look: marks, switches and triggers go by the Unix socket, ssh:HOST or, over TLS, with the "
        "role "
        "control";
    EXPECT_EQ(ask(Role::kLooker, mark()), "disconnected: " + why);
    EXPECT_EQ(ask(Role::kLooker, numbered(mark())), why);
    EXPECT_EQ(ask(Role::kLooker, stop()), "disconnected: " + why);
    EXPECT_EQ(ask(Role::kLooker, set_trigger()), why);
    EXPECT_EQ(ask(Role::kLooker, set_channels()), why);
    EXPECT_EQ(ask(Role::kLooker, look()), "");
}

sockaddr_storage address_of(int family, const char* text) {
    sockaddr_storage name{};
    name.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET) inet_pton(AF_INET, text, &reinterpret_cast<sockaddr_in&>(name).sin_addr);
    if (family == AF_INET6) inet_pton(AF_INET6, text, &reinterpret_cast<sockaddr_in6&>(name).sin6_addr);
    return name;
}

TEST(RoleOf, ASocketIsDecidedByWhoCanReachIt) {
    EXPECT_EQ(role_of(address_of(AF_UNIX, ""), true), Role::kOwner);
    EXPECT_EQ(role_of(address_of(AF_UNIX, ""), false), Role::kLocal);
    for (const char* loopback : {"127.0.0.1", "127.9.9.9"}) {
        EXPECT_EQ(role_of(address_of(AF_INET, loopback), false), Role::kLocal) << loopback;
    }
    for (const char* open : {"0.0.0.0", "10.0.0.1", "192.0.2.1", "128.0.0.1"}) {
        EXPECT_EQ(role_of(address_of(AF_INET, open), true), Role::kLooker) << open;
    }
    for (const char* loopback : {"::1", "::ffff:127.0.0.1"}) {
        EXPECT_EQ(role_of(address_of(AF_INET6, loopback), false), Role::kLocal) << loopback;
    }
    for (const char* open : {"::", "2001:db8::1", "::ffff:10.0.0.1"}) {
        EXPECT_EQ(role_of(address_of(AF_INET6, open), true), Role::kLooker) << open;
    }
    EXPECT_EQ(role_of(address_of(AF_UNSPEC, ""), true), Role::kLooker);
}

TEST(ListeningOn, WhatOtherMachinesCanReachWantsToBeAllowedFirst) {
    boost::asio::io_context io;
    retain::Retention retention(retain::Limits{});
    Server server(io, retention, {});
    for (const char* open : {"tcp:0.0.0.0:0", "tcp:[::]:0"}) {
        const auto refused = server.listen(*wire::parse_address(open));
        ASSERT_FALSE(refused.ok()) << open;
        EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
        EXPECT_NE(refused.error().message.find("--insecure"), std::string::npos) << refused.error().message;
    }
    EXPECT_TRUE(server.listen(*wire::parse_address("tcp:127.0.0.1:0")).ok());
}

TEST(ListeningOn, AStaleSocketIsReplacedAndAnyOtherFileStays) {
    boost::asio::io_context io;
    retain::Retention retention({});
    Server server(io, retention, {});
    const support::TempDir folder;
    const std::string file = folder.file("words");
    std::ofstream(file) << "of somebody";
    const auto refused = server.listen(*wire::parse_address("unix:" + file));
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("is no socket"), std::string::npos) << refused.error().message;
    EXPECT_EQ(std::filesystem::file_size(file), std::string("of somebody").size());
    const std::string stale = folder.file("stale");
    boost::asio::local::stream_protocol::acceptor(io, stale).close();
    ASSERT_TRUE(std::filesystem::exists(stale));
    const auto bound = server.listen(*wire::parse_address("unix:" + stale));
    EXPECT_TRUE(bound.ok()) << bound.error().message;
}

TEST(ListeningOn, TlsWantsToKnowWhoMayComeFirst) {
    boost::asio::io_context io;
    retain::Retention retention(retain::Limits{});
    Server server(io, retention, {});
    EXPECT_EQ(server.listen(*wire::parse_address("tls:127.0.0.1:0")).error().code, ErrorCode::kInvalidInput);
    const auto missing = server.read_access({"/nowhere/cert.pem", "/nowhere/key.pem", "/nowhere/access"});
    ASSERT_FALSE(missing.ok());
    EXPECT_NE(missing.error().message.find("sla-agent --make-certificate"), std::string::npos) << missing.error().message;
    EXPECT_FALSE(server.listen(*wire::parse_address("tls:127.0.0.1:0")).ok());
}

TEST(ListeningOn, AnSshAddressIsNothingToListenOn) {
    boost::asio::io_context io;
    retain::Retention retention(retain::Limits{});
    Server server(io, retention, {});
    EXPECT_EQ(server.listen(*wire::parse_address("ssh:lab")).error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace sla::stream
