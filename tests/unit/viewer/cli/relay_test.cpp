#include "viewer/cli/commands/relay.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace sla::cli {
namespace {

// The client's two pipes, the agent's socket, and the relay between them on a thread of its own.
class Relaying : public ::testing::Test {
protected:
    Relaying() {
        EXPECT_EQ(pipe(input_.data()), 0);
        EXPECT_EQ(pipe(output_.data()), 0);
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, agent_.data()), 0);
        relay_ = std::thread([this] {
            outcome_ = relay(input_[0], output_[1], agent_[0], [] { return true; }).ok();
            close(output_[1]);
            close(agent_[0]);
        });
    }
    ~Relaying() override {
        for (const int end : {input_[1], output_[0], agent_[1]}) close(end);
        if (relay_.joinable()) relay_.join();
        close(input_[0]);
    }
    static void send(int fd, const std::string& bytes) {
        for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t count = ::write(fd, bytes.data() + at, bytes.size() - at);
            ASSERT_GT(count, 0);
            at += static_cast<std::size_t>(count);
        }
    }
    // Up to the end.
    static std::string receive(int fd) {
        std::string all;
        char bytes[4096];
        for (ssize_t count = 0; (count = ::read(fd, bytes, sizeof bytes)) > 0;)
            all.append(bytes, static_cast<std::size_t>(count));
        return all;
    }
    void hang_up(int& fd) { close(std::exchange(fd, -1)); }

    std::array<int, 2> input_{};
    std::array<int, 2> output_{};
    std::array<int, 2> agent_{};
    std::thread relay_;
    bool outcome_ = false;
};

TEST_F(Relaying, BytesGoBothWaysAndTheClientsEndIsPassedOnWhileTheAgentStillAnswers) {
    send(input_[1], "request");
    hang_up(input_[1]);
    EXPECT_EQ(receive(agent_[1]), "request");
    send(agent_[1], "answer");
    hang_up(agent_[1]);
    EXPECT_EQ(receive(output_[0]), "answer");
    relay_.join();
    EXPECT_TRUE(outcome_);
}

TEST_F(Relaying, MoreThanAnyBufferArrivesWholeAtASlowReader) {
    std::string much(3'000'000, 'x');
    for (std::size_t i = 0; i < much.size(); ++i) much[i] = static_cast<char>(i * 2654435761U >> 13);
    std::thread agent([&] {
        send(agent_[1], much);
        hang_up(agent_[1]);
    });
    EXPECT_EQ(receive(output_[0]), much);
    agent.join();
}

TEST_F(Relaying, ItEndsWhenTheAgentHangsUpThoughTheClientSaysNothing) {
    hang_up(agent_[1]);
    EXPECT_EQ(receive(output_[0]), "");
    relay_.join();
}

TEST_F(Relaying, ItEndsWhenNobodyListensThoughTheAgentSaysNothing) {
    hang_up(output_[0]);
    EXPECT_EQ(receive(agent_[1]), "");
    relay_.join();
}

}  // namespace
}  // namespace sla::cli
