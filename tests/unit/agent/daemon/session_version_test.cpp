// A client of another version, on a real session, stepped by hand.
#include "agent/stream/session.h"

#include "proto/base/check.h"
#include "proto/wire/frame_codec.h"
#include "proto/wire/version.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>

namespace sla::stream {
namespace {

class SessionVersion : public testing::Test {
protected:
    SessionVersion() {
        int ends[2];
        SLA_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        peer_ = ends[1];
        tls::Socket socket(io_, boost::asio::generic::stream_protocol(AF_UNIX, 0), ends[0]);
        session_ = std::make_shared<Session>(std::move(socket), retention_, SessionHooks{}, Role::kOwner);
        session_->start();
    }
    ~SessionVersion() override {
        session_->close();
        close(peer_);
    }

    // The reason of the End that it gets; empty: it stays.
    std::string subscribe(unsigned version, unsigned reads, bool status_only = false) {
        wire::Request request;
        request.mutable_subscribe()->set_version(version);
        request.mutable_subscribe()->set_reads(reads);
        request.mutable_subscribe()->set_status_only(status_only);
        const std::string bytes = wire::encode_frame(request);
        EXPECT_EQ(send(peer_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
        io_.poll();
        char answer[4096];
        const ssize_t got = recv(peer_, answer, sizeof answer, MSG_DONTWAIT);
        if (got <= 0) return session_->is_subscribed() ? "" : "nothing was said";
        wire::FrameDecoder decoder;
        decoder.feed({answer, static_cast<std::size_t>(got)});
        wire::Frame frame;
        EXPECT_TRUE(wire::parse_message(**decoder.next(), frame));
        return frame.end().reason();
    }

    boost::asio::io_context io_;
    retain::Retention retention_{{}};
    std::shared_ptr<Session> session_;
    int peer_ = -1;
};

TEST_F(SessionVersion, OfAClientFromBeforePackedBatchesIsRefusedWithBothVersions) {
    EXPECT_EQ(subscribe(1, 0),
              "disconnected: it reads version 1 of the stream, this agent sends version 2: update the client");
    EXPECT_FALSE(session_->is_open());
}

TEST_F(SessionVersion, OfAnOlderClientDoesNotMatterWhereItGetsNoBatches) {
    EXPECT_EQ(subscribe(1, 0, true), "");
    EXPECT_TRUE(session_->is_subscribed());
}

TEST_F(SessionVersion, OfAClientThatReadsNewerStreamsTooDoesNotMatter) {
    EXPECT_EQ(subscribe(1, wire::kWireVersion + 1), "");
}

TEST_F(SessionVersion, OfAClientThatAsksInANewerOneIsRefused) {
    EXPECT_EQ(subscribe(2, 3), "disconnected: it asks in version 2, this agent understands version 1: update the agent");
}

}  // namespace
}  // namespace sla::stream
