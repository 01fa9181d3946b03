// A client that asks anything of a real session and of the agent behind it: nothing breaks, the session stays within its
// bounds, and what comes back is a stream of whole frames.
#include "agent/daemon/pipeline/pipeline.h"
#include "agent/retain/retention.h"
#include "agent/stream/session.h"
#include "proto/base/check.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/fuzz/pieces.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>
#include <boost/asio/io_context.hpp>

#include <memory>

namespace {

using sla::stream::Session;

constexpr int kRunsPerAgent = 64;  // what marks and rules leave behind must not pile up

struct Agent {
    boost::asio::io_context io;
    sla::retain::Retention retention{{}};
    sla::daemon::Pipeline pipeline{retention};
};

// What the session sends, until it has no more at the moment.
void receive(int fd, sla::wire::FrameDecoder& decoder) {
    char bytes[4096];
    for (;;) {
        const ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got <= 0) return;
        decoder.feed({bytes, static_cast<std::size_t>(got)});
        for (;;) {
            const auto message = decoder.next();
            SLA_CHECK(message.ok());
            if (!*message) break;
            sla::wire::Frame frame;
            SLA_CHECK(sla::wire::parse_message(**message, frame));
        }
    }
}

void talk(Agent& agent, int fd, const std::uint8_t* data, std::size_t size) {
    sla::wire::FrameDecoder decoder;
    const bool framed = size > 0 && data[0] % 4 != 0;  // else the framing is the fuzzer's as well
    const auto pieces = size > 0 ? sla::fuzz::pieces_of(data + 1, size - 1) : std::vector<std::string_view>();
    for (const std::string_view piece : pieces) {
        std::string bytes(piece);
        if (framed) {
            const auto length = static_cast<std::uint32_t>(piece.size());
            std::string header;
            for (int i = 0; i < 4; i++) header += static_cast<char>(length >> 8 * i & 0xff);
            bytes.insert(0, header);
        }
        (void)send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        agent.io.poll();
        agent.pipeline.step();
        agent.io.poll();
        receive(fd, decoder);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static std::unique_ptr<Agent> agent;
    static int runs = 0;
    if (runs++ % kRunsPerAgent == 0) {
        spdlog::set_level(spdlog::level::off);
        google::protobuf::SetLogHandler(nullptr);
        agent = std::make_unique<Agent>();
    }
    int ends[2];
    SLA_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    sla::tls::Socket socket(agent->io, boost::asio::generic::stream_protocol(AF_UNIX, 0), ends[0]);
    auto& pipeline = agent->pipeline;
    auto session = std::make_shared<Session>(
        std::move(socket), agent->retention,
        sla::stream::SessionHooks{
            [&](sla::wire::Mark mark, std::function<void()> taken) { pipeline.mark(std::move(mark), std::move(taken)); },
            [&](sla::stream::ControlRequest request) { pipeline.control(std::move(request)); }, [] {},
            [&](std::int64_t ns) { return pipeline.ticks_of(ns); }},
        static_cast<sla::stream::Role>(size % 4));
    session->start();
    talk(*agent, ends[1], data, size);
    session->close();
    close(ends[1]);
    agent->io.restart();
    agent->io.poll();
    return 0;
}
