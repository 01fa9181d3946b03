#include "viewer/ingest/stream_client.h"

#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/capture_builder.h"
#include "tests/support/fake_agent.h"
#include "viewer/ingest/open.h"
#include "viewer/ingest/request.h"

#include <gtest/gtest.h>

namespace sla::ingest {
namespace {

using std::chrono::milliseconds;

wire::Request request_of(const std::string& bytes) {
    wire::FrameDecoder decoder;
    decoder.feed(bytes);
    wire::Request request;
    const auto frame = decoder.next();
    if (frame.ok() && frame->has_value()) {
        EXPECT_TRUE(request.ParseFromArray((*frame)->data(), static_cast<int>((*frame)->size())));
    }
    return request;
}

StreamOptions options_for(const support::FakeAgent& agent) {
    StreamOptions options;
    options.address = *wire::parse_address(agent.address());
    options.until_now = true;
    options.client = "a test";
    options.channels = {"net.*"};
    return options;
}

StreamOptions with_small_queue(const support::FakeAgent& agent) {
    StreamOptions options = options_for(agent);
    options.queue_bytes = 4096;
    return options;
}

void run(StreamClient& client, FrameApplier& applier) {
    while (!client.drained()) {
        client.wait(milliseconds(1000));
        client.poll(applier, milliseconds(1000));
    }
}

support::CaptureBuilder mixed(std::size_t events) {
    support::CaptureBuilder capture;
    support::add_mixed(capture, 6, events);
    return capture;
}

TEST(StreamClient, SubscribesAndTakesTheStreamToItsEnd) {
    const auto capture = mixed(3000);
    support::FakeAgent agent({capture.stream()});
    store::Session session;
    FrameApplier applier(session);
    StreamClient client(options_for(agent));
    EXPECT_EQ(client.report().state, StreamState::kIdle);
    client.start();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kEnded);
    EXPECT_EQ(client.report().message, "");
    store::Session direct;
    capture.fill(direct);
    EXPECT_EQ(session.events(), direct.events());
    EXPECT_EQ(session.damage_count(), 0u);
    const auto subscribe = request_of(agent.requests().at(0)).subscribe();
    EXPECT_TRUE(subscribe.until_now());
    EXPECT_EQ(subscribe.client(), "a test");
    ASSERT_EQ(subscribe.channels_size(), 1);
    EXPECT_EQ(subscribe.channels(0), "net.*");
}

TEST(StreamClient, AConnectionThatComesWithTheEndOfItsTimeIsKept) {
    support::FakeAgent agent({mixed(1000).stream()});
    store::Session session;
    FrameApplier applier(session);
    StreamOptions options = options_for(agent);
    options.connect_timeout = milliseconds(0);  // a local socket is connected at once: both are there together
    StreamClient client(options);
    client.start();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kEnded) << client.report().message;
}

TEST(StreamClient, ASmallQueueHoldsTheReaderBackAndLosesNothing) {
    const auto capture = mixed(20000);
    support::FakeAgent agent({capture.stream()});
    store::Session session;
    FrameApplier applier(session);
    StreamClient client(with_small_queue(agent));
    client.start();
    while (!client.drained()) {
        client.wait(milliseconds(1000));
        EXPECT_LT(client.report().queued_bytes, 4096u + 1'000'000u);  // the rows of one frame may stick out
        client.poll(applier, milliseconds(0));
    }
    client.poll(applier, milliseconds(100));
    store::Session direct;
    capture.fill(direct);
    EXPECT_EQ(session.events(), direct.events());
    EXPECT_TRUE(session.ended());
}

TEST(StreamClient, SaysForHowLongItWasHeldBack) {
    support::FakeAgent agent({mixed(20000).stream()});
    StreamClient client(with_small_queue(agent));
    client.start();
    const auto held = [&] { return client.report().held_back; };
    while (held() < milliseconds(5)) client.wait(milliseconds(1));  // nobody takes anything in
    client.stop();
    const auto until_the_stop = held();
    EXPECT_GE(until_the_stop, milliseconds(5));
    client.wait(milliseconds(2));
    EXPECT_EQ(held(), until_the_stop) << "without a connection nothing waits";
}

TEST(StreamClient, AStreamThatIsCutOffIsLostAndKeepsWhatCame) {
    const std::string whole = mixed(3000).stream();
    support::FakeAgent agent({whole.substr(0, whole.size() / 2), whole});
    store::Session session;
    FrameApplier applier(session);
    StreamClient client(options_for(agent));
    client.start();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kLost);
    EXPECT_NE(client.report().message.find("cut off"), std::string::npos);
    EXPECT_GT(session.lanes().size(), 0u);
    client.reconnect();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kEnded);
    store::Session direct;
    mixed(3000).fill(direct);
    EXPECT_EQ(session.events(), direct.events());
    EXPECT_EQ(session.damage_count(), 0u);
}

TEST(StreamClient, BytesThatAreNoStreamEndTheConnectionWithAReason) {
    support::FakeAgent agent({"HTTP/1.1 400 Bad Request\r\n\r\n"});
    store::Session session;
    FrameApplier applier(session);
    StreamClient client(options_for(agent));
    client.start();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kLost);
    EXPECT_NE(client.report().message.find("protocol"), std::string::npos);
}

TEST(StreamClient, AnAgentThatTurnsItAwayIsNoEndOfTheStream) {
    wire::Frame last;
    last.mutable_end()->set_reason("disconnected: no descriptor is left");
    support::FakeAgent agent({wire::encode_frame(last)});
    store::Session session;
    FrameApplier applier(session);
    StreamClient client(options_for(agent));
    client.start();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kLost);
    EXPECT_NE(client.report().message.find("hung up: no descriptor is left"), std::string::npos) << client.report().message;
}

TEST(StreamClient, WithoutAnAgentItSaysWhatToDo) {
    StreamOptions options;
    options.address = *wire::parse_address("unix:/tmp/sla-no-such-agent");
    store::Session session;
    FrameApplier applier(session);
    StreamClient client(options);
    client.start();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kLost);
    EXPECT_NE(client.report().message.find("sla-agent"), std::string::npos);
    EXPECT_NE(client.report().message.find("/tmp/sla-no-such-agent"), std::string::npos);
}

// A long runtime directory makes such an address, which nobody typed.
TEST(StreamClient, APathThatNoSocketCanHaveIsAnAnswerAndNotACrash) {
    wire::Address address;
    address.path = "/tmp/" + std::string(200, 'x') + "/agent.sock";
    store::Session session;
    FrameApplier applier(session);
    StreamOptions options;
    options.address = address;
    StreamClient client(options);
    client.start();
    run(client, applier);
    EXPECT_EQ(client.report().state, StreamState::kLost);
    EXPECT_NE(client.report().message.find("too long (216 bytes, at most 107)"), std::string::npos)
        << client.report().message;
    wire::Request request;
    request.mutable_mark()->set_channel("note");
    const auto sent = send_request(address, request);
    ASSERT_FALSE(sent.ok());
    EXPECT_NE(sent.error().message.find("set SLA_RUNTIME_DIR"), std::string::npos) << sent.error().message;
}

TEST(StreamClient, RawFramesComeAsTheyWereSent) {
    const auto capture = mixed(500);
    support::FakeAgent agent({capture.stream()});
    StreamClient client(options_for(agent));
    client.keep_raw();
    client.start();
    std::vector<std::string> messages;
    std::string message;
    while (!client.drained()) {
        client.wait(milliseconds(1000));
        while (client.next_raw(message)) messages.push_back(message);
    }
    EXPECT_EQ(messages, capture.frames());
}

TEST(StreamClient, CanBeStoppedAtAnyMoment) {
    const auto capture = mixed(20000);
    support::FakeAgent agent({capture.stream(), capture.stream()});
    StreamClient client(with_small_queue(agent));
    client.start();
    client.wait(milliseconds(1000));
    client.stop();
    EXPECT_EQ(client.report().state, StreamState::kLost);
    client.start();
}

TEST(Load, TakesAnAddressLikeAFile) {
    const auto capture = mixed(1000);
    support::FakeAgent agent({capture.stream()});
    store::Session session;
    ASSERT_TRUE(load(agent.address(), session).ok());
    store::Session direct;
    capture.fill(direct);
    EXPECT_EQ(session.events(), direct.events());
    EXPECT_EQ(load("unix:/tmp/sla-no-such-agent", session).error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(load("tcp:nowhere", session).error().code, ErrorCode::kInvalidInput);
}

std::string answered(const std::string& error) {
    wire::Frame frame;
    frame.mutable_answer()->set_request(1);
    frame.mutable_answer()->set_error(error);
    return wire::encode_frame(frame);
}

std::string error_of_mark(const support::FakeAgent& agent) {
    wire::Request request;
    request.mutable_mark()->set_channel("note");
    const auto sent = send_request(*wire::parse_address(agent.address()), request);
    return sent.ok() ? "" : sent.error().message;
}

TEST(SendRequest, WhatHangsUpWithoutAnAnswerHasTakenNothing) {
    support::FakeAgent agent({"", answered("no such thing")});
    EXPECT_EQ(error_of_mark(agent), "the agent hung up without an answer");
    EXPECT_EQ(error_of_mark(agent), "no such thing");
}

TEST(SendRequest, WhatSpeaksAnotherProtocolIsSaidToDoSo) {
    support::FakeAgent agent({"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"});
    for (int i = 0; i < 2; ++i) {
        const std::string error = error_of_mark(agent);
        EXPECT_NE(error.find("really speaking this protocol"), std::string::npos) << error;
        EXPECT_NE(error.find(agent.path()), std::string::npos) << error;
    }
}

TEST(SendRequest, AFrameThatCannotBeReadDoesNotHideTheAnswerBehindIt) {
    support::FakeAgent agent({std::string("\x01\0\0\0\xff", 5) + answered("")});
    EXPECT_EQ(error_of_mark(agent), "");
}

TEST(SendRequest, ReachesTheAgent) {
    support::FakeAgent agent({answered("")});
    wire::Request request;
    request.mutable_mark()->set_channel("note");
    request.mutable_mark()->set_text("hello");
    ASSERT_TRUE(send_request(*wire::parse_address(agent.address()), request).ok());
    EXPECT_EQ(request_of(agent.requests().at(0)).mark().text(), "hello");
    EXPECT_FALSE(send_request(*wire::parse_address("unix:/tmp/sla-no-such-agent"), request).ok());
}

}  // namespace
}  // namespace sla::ingest
