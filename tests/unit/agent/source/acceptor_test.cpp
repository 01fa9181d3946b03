// A shortage of descriptors, made with this process's own limit.
#include "agent/source/acceptor.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace sla::source {
namespace {

class AcceptorTest : public testing::Test {
protected:
    AcceptorTest() {
        name_.sun_family = AF_UNIX;
        std::strncpy(name_.sun_path, directory_.file("socket").c_str(), sizeof name_.sun_path - 1);
        const int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
        EXPECT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&name_), sizeof name_), 0);
        EXPECT_EQ(::listen(listening, 100), 0);
        EXPECT_TRUE(acceptor_.start(listening).ok());
    }
    ~AcceptorTest() override {
        end_shortage();
        for (const int fd : fds_) ::close(fd);
        if (is_short_) ::setrlimit(RLIMIT_NOFILE, &limit_);
    }
    int knock() {
        fds_.push_back(::socket(AF_UNIX, SOCK_STREAM, 0));
        EXPECT_EQ(::connect(fds_.back(), reinterpret_cast<sockaddr*>(&name_), sizeof name_), 0);
        return fds_.back();
    }
    // What there is now is all there will be.
    void leave_no_descriptor() {
        ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit_), 0);
        is_short_ = true;
        rlimit few = limit_;
        few.rlim_cur = 200;
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
        for (int fd; (fd = ::dup(STDERR_FILENO)) >= 0;) fillers_.push_back(fd);
    }
    void end_shortage() {
        for (const int fd : fillers_) ::close(fd);
        fillers_.clear();
    }
    void run_for(std::chrono::milliseconds time) {
        io_.restart();
        handlers_ += io_.run_for(time);
    }
    static bool is_over(int fd) {
        char byte = 0;
        return ::recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
    }

    support::TempDir directory_;
    sockaddr_un name_{};
    boost::asio::io_context io_;
    std::vector<int> fds_;
    std::vector<int> fillers_;
    std::vector<std::string> said_;
    std::size_t handlers_ = 0;
    int taken_ = 0;
    int refused_ = 0;
    rlimit limit_{};
    bool is_short_ = false;
    Acceptor acceptor_{io_,
                       {"guests",
                        [this](int fd) {
                            taken_++;
                            fds_.push_back(fd);
                        },
                        [this](int) { refused_++; }, [this](const std::string& what) { said_.push_back(what); }}};
};

TEST_F(AcceptorTest, TakesInWhoeverKnocks) {
    knock();
    knock();
    run_for(std::chrono::milliseconds(20));
    EXPECT_EQ(taken_, 2);
    EXPECT_TRUE(said_.empty());
}

TEST_F(AcceptorTest, RefusesGuestsWithItsLastDescriptorAndDoesNotSpin) {
    const int first = knock();
    const int second = knock();
    leave_no_descriptor();
    run_for(std::chrono::milliseconds(550));
    EXPECT_EQ(taken_, 0);
    EXPECT_EQ(refused_, 2);
    EXPECT_TRUE(is_over(first));
    EXPECT_TRUE(is_over(second));
    EXPECT_LT(handlers_, 20U) << "it spins";
    ASSERT_EQ(said_.size(), 1U);
    EXPECT_NE(said_[0].find("cannot take guests in"), std::string::npos) << said_[0];
}

TEST_F(AcceptorTest, TakesThemInAgainWhenTheShortageIsOver) {
    knock();
    leave_no_descriptor();
    run_for(std::chrono::milliseconds(50));
    EXPECT_EQ(refused_, 1);
    end_shortage();
    knock();
    run_for(std::chrono::milliseconds(300));
    EXPECT_EQ(taken_, 1);
    EXPECT_EQ(said_.size(), 1U);
}

TEST_F(AcceptorTest, SaysAShortageThatComesAndGoesOnce) {
    for (int i = 0; i < 3; i++) {
        knock();
        leave_no_descriptor();
        run_for(std::chrono::milliseconds(110));
        end_shortage();
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit_), 0);
        is_short_ = false;
        knock();
        run_for(std::chrono::milliseconds(110));
    }
    EXPECT_EQ(refused_, 3);
    EXPECT_EQ(taken_, 3);
    EXPECT_EQ(said_.size(), 1U);
}

TEST_F(AcceptorTest, IsQuietOnceClosed) {
    knock();
    acceptor_.close();
    run_for(std::chrono::milliseconds(20));
    EXPECT_EQ(taken_, 0);
    EXPECT_FALSE(acceptor_.is_open());
}

}  // namespace
}  // namespace sla::source
