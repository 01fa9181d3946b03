// Clients that ask more than they take answers for, or more than anybody means.
#include "agent/stream/session.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sla/ring_abi.h>

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <deque>

namespace sla::stream {
namespace {

using testing::HasSubstr;

class Requests : public testing::Test {
protected:
    Requests() {
        hooks_.mark = [this](const wire::Mark&, std::function<void()> taken) { marks_.push_back(std::move(taken)); };
        hooks_.control = [this](const ControlRequest& control) { controls_.push_back(control.answer); };
    }
    ~Requests() override {
        if (session_) session_->close();
        if (peer_ >= 0) close(peer_);
    }
    void connect(Role role) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) std::abort();
        peer_ = ends[1];
        tls::Socket socket(io_, boost::asio::generic::stream_protocol(AF_UNIX, 0), ends[0]);
        session_ = std::make_shared<Session>(std::move(socket), retention_, hooks_, role);
        session_->start();
    }
    // Sends until the session takes nothing more, `limit` times at most; how many whole requests went.
    int flood(const wire::Request& request, int limit) {
        const std::string bytes = wire::encode_frame(request);
        for (int i = 0; i < limit; ++i) {
            for (std::size_t sent = 0; sent < bytes.size();) {
                const ssize_t n = send(peer_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
                io_.restart();
                io_.poll();
                if (n > 0) {
                    sent += static_cast<std::size_t>(n);
                } else if (++refusals_ > 3) {
                    rest_ = bytes.substr(sent);
                    return i;
                }
            }
            refusals_ = 0;
        }
        return limit;
    }
    // The words of all frames that have come.
    std::string words() {
        char answer[1 << 16];
        io_.restart();
        io_.poll();
        for (ssize_t got; (got = recv(peer_, answer, sizeof answer, MSG_DONTWAIT)) > 0;) {
            decoder_.feed({answer, static_cast<std::size_t>(got)});
            io_.restart();
            io_.poll();
        }
        std::string all;
        for (auto message = decoder_.next(); message.ok() && *message; message = decoder_.next()) {
            wire::Frame frame;
            EXPECT_TRUE(wire::parse_message(**message, frame));
            answers_ += frame.has_answer();
            all += frame.end().reason();
        }
        return all;
    }
    static wire::Request set_channels(std::uint32_t number) {
        wire::Request request;
        request.set_number(number);
        request.mutable_set_channels();
        return request;
    }
    static wire::Request subscribe() {
        wire::Request request;
        request.mutable_subscribe()->set_version(wire::kControlVersion);
        request.mutable_subscribe()->set_reads(wire::kWireVersion);
        return request;
    }
    std::string say(const wire::Request& request) {
        flood(request, 1);
        return words();
    }

    static constexpr int kMany = 100'000;
    boost::asio::io_context io_;
    retain::Retention retention_{{}};
    SessionHooks hooks_;
    std::deque<std::function<void()>> marks_;
    std::deque<std::function<void(const std::string&)>> controls_;
    std::shared_ptr<Session> session_;
    wire::FrameDecoder decoder_;
    std::string rest_;  // of the request that did not go whole
    int refusals_ = 0;
    int answers_ = 0;
    int peer_ = -1;
};

TEST_F(Requests, OfWhoTakesNoAnswersAreNotTakenEither) {
    connect(Role::kLooker);
    const int taken = flood(set_channels(1), kMany);
    EXPECT_LT(taken, kMany / 2);
    ASSERT_TRUE(session_->is_open());
    // Once the answers are taken all goes on, and none is missing.
    words();
    ASSERT_EQ(send(peer_, rest_.data(), rest_.size(), MSG_NOSIGNAL), static_cast<ssize_t>(rest_.size()));
    words();
    EXPECT_EQ(answers_, taken + 1);
}

TEST_F(Requests, ThatNobodyHasCarriedOutYetAreBounded) {
    connect(Role::kOwner);
    const int taken = flood(set_channels(1), kMany);
    EXPECT_LT(taken, kMany / 2);
    EXPECT_LE(controls_.size(), 300u);
    for (; !controls_.empty(); words()) {
        controls_.front()("");
        controls_.pop_front();
    }
    EXPECT_EQ(answers_, taken);
}

TEST_F(Requests, MarksToo) {
    connect(Role::kLocal);
    wire::Request request;
    request.mutable_mark()->set_channel("x");
    const int taken = flood(request, kMany);
    EXPECT_LT(taken, kMany / 2);
    EXPECT_LE(marks_.size(), 300u);
    int carried_out = 0;
    for (; !marks_.empty(); words(), ++carried_out) {
        marks_.front()();
        marks_.pop_front();
    }
    EXPECT_EQ(carried_out, taken);
}

TEST_F(Requests, AMarkWithANumberIsAnsweredOnceItIsTaken) {
    connect(Role::kLocal);
    wire::Request request;
    request.set_number(5);
    request.mutable_mark()->set_channel("x");
    say(request);
    EXPECT_EQ(answers_, 0);
    ASSERT_EQ(marks_.size(), 1u);
    marks_.front()();
    words();
    EXPECT_EQ(answers_, 1);
    request.mutable_mark()->set_channel(std::string(SLA_NAME_BYTES, 'x'));
    EXPECT_EQ(say(request), "") << "who waits for an answer is not disconnected";
    EXPECT_EQ(answers_, 2);
}

TEST_F(Requests, AMarksChannelHasANameThatProgramsCouldHave) {
    connect(Role::kLocal);
    wire::Request request;
    request.mutable_mark()->set_channel(std::string(SLA_NAME_BYTES - 1, 'x'));
    EXPECT_EQ(say(request), "");
    EXPECT_EQ(marks_.size(), 1u);
    request.mutable_mark()->set_channel(std::string(SLA_NAME_BYTES, 'x'));
    EXPECT_THAT(say(request), HasSubstr("at most 255 bytes"));
    EXPECT_EQ(marks_.size(), 1u);
}

TEST_F(Requests, PatternsAreAsManyAndAsLongAsCanBeComparedWithEveryName) {
    connect(Role::kLooker);
    wire::Request request = subscribe();
    for (int i = 0; i < 257; ++i) request.mutable_subscribe()->add_channels("a");
    EXPECT_THAT(say(request), HasSubstr("257 patterns"));
}

TEST_F(Requests, APatternIsNoLongerThanAnybodyTypes) {
    connect(Role::kLooker);
    wire::Request request = subscribe();
    request.mutable_subscribe()->add_channels(std::string(1025, 'a'));
    EXPECT_THAT(say(request), HasSubstr("more than 1024 bytes"));
}

}  // namespace
}  // namespace sla::stream
