// A doorkeeper and those who knock, in one thread over socket pairs: who gets in, who is in the way of whom.
#include <utility>  // before Asio, which forgets it

#include "agent/stream/doorkeeper.h"
#include "proto/common/tls/certificate.h"
#include "proto/common/tls/private_file.h"
#include "proto/common/tls/secret.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/process.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <sys/socket.h>
#include <unistd.h>

namespace sla::stream {
namespace {

using boost::system::error_code;

constexpr std::size_t kSilent = 8;
constexpr std::size_t kTalking = 3;

class DoorkeeperTest : public testing::Test {
protected:
    DoorkeeperTest()
        : door_(io_, [this](Guest guest) { guests_.push_back(std::move(guest)); },
                {.silent = kSilent, .talking = kTalking}) {
        spdlog::set_level(spdlog::level::err);
        const auto made = tls::make_certificate({"agent"}, 1);
        EXPECT_TRUE(tls::write_private(files_.certificate, made->certificate).ok());
        EXPECT_TRUE(tls::write_private(files_.key, made->key).ok());
        AccessList list;
        EXPECT_TRUE(list.add({Role::kLooker, AccessEntry::By::kToken, tls::hash_of("good"), "ann"}).ok());
        EXPECT_TRUE(list.write(files_.access).ok());
        const Result<void> read = door_.read(files_);
        EXPECT_TRUE(read.ok()) << read.error().message;
    }
    ~DoorkeeperTest() override {
        for (const int fd : fds_) ::close(fd);
    }
    // Our end of a connection that the doorkeeper has taken.
    int knock() { return knock(door_); }
    int knock(Doorkeeper& door) {
        int ends[2];
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
        door.take(ends[1]);
        fds_.push_back(ends[0]);
        return ends[0];
    }
    static void say(int fd, const std::string& bytes) {
        EXPECT_EQ(::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    // Everything that came, and whether that is all that ever will.
    static std::pair<std::string, bool> received(int fd) {
        std::string all;
        char bytes[4096];
        for (;;) {
            const ssize_t got = ::recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
            if (got <= 0) return {all, got == 0 || errno == ECONNRESET};
            all.append(bytes, static_cast<std::size_t>(got));
        }
    }
    template <typename Condition>
    bool run_until(Condition condition) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!condition() && std::chrono::steady_clock::now() < limit) {
            io_.restart();  // it stops whenever nothing is under way
            io_.run_one_for(std::chrono::milliseconds(100));
        }
        return condition();
    }
    // A client that logs in with `token`; gives the answer it got, empty: it is a guest now.
    std::string log_in(const std::string& token) {
        int ends[2];
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
        tls::Transport transport(tls::Socket(io_, boost::asio::generic::stream_protocol(AF_UNIX, 0), ends[0]));
        door_.take(ends[1]);
        wire::Request request;
        request.mutable_login()->set_token(token);
        const std::string login = wire::encode_frame(request);
        std::array<char, 4096> buffer{};
        std::string reported;
        bool is_over = false;
        const std::size_t before = guests_.size();
        transport.start_tls(client_).handshake(tls::Stream::End::kClient, [&](const error_code& error) {
            if (error) {
                reported = "no handshake: " + error.message();
                is_over = true;
                return;
            }
            transport.write({boost::asio::buffer(login)}, [&](const error_code&, std::size_t) {
                transport.read_some(boost::asio::buffer(buffer), [&](const error_code&, std::size_t n) {
                    wire::Frame frame;
                    if (n > 4) frame.ParseFromString(std::string(buffer.data() + 4, n - 4));
                    reported = frame.end().reason();
                    is_over = true;
                });
            });
        });
        EXPECT_TRUE(run_until([&] { return is_over || guests_.size() > before; }));
        if (guests_.size() > before) guests_.back().transport.close();
        run_until([&] { return is_over; });
        return guests_.size() > before ? "" : reported;
    }

    support::TempDir directory_;
    TlsFiles files_{directory_.file("cert"), directory_.file("key"), directory_.file("access")};
    boost::asio::io_context io_;
    tls::Context client_ = *tls::Context::for_client(nullptr);
    std::vector<Guest> guests_;
    std::vector<int> fds_;
    Doorkeeper door_;
};

TEST_F(DoorkeeperTest, LetsInWhoKnowsATokenAndNobodyElse) {
    EXPECT_EQ(log_in("good"), "");
    EXPECT_EQ(guests_.at(0).entry.name, "ann");
    EXPECT_NE(log_in("bad").find("the token is not one that this agent knows"), std::string::npos);
    EXPECT_EQ(door_.counts().admitted, 1U);
    EXPECT_EQ(door_.counts().failed, 1U);
    EXPECT_EQ(door_.knocks(), 0U);
}

TEST_F(DoorkeeperTest, LetsAWrongTokenWaitAndARightOneNever) {
    const auto begin = std::chrono::steady_clock::now();
    log_in("bad");
    EXPECT_GE(std::chrono::steady_clock::now() - begin, FailedLogins::kFirstDelay);
    const int fd = knock();  // one that waits meanwhile, from the same address
    EXPECT_EQ(log_in("good"), "");
    EXPECT_FALSE(received(fd).second);
}

TEST_F(DoorkeeperTest, AnswersPlainClientsInPlain) {
    const int page = knock();
    say(page, "GET / HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(run_until([&] { return door_.knocks() == 0; }));
    const auto [text, is_over] = received(page);
    EXPECT_EQ(text.rfind("HTTP/1.1 400", 0), 0U) << text;
    EXPECT_TRUE(is_over);
    const int plain = knock();
    wire::Request request;
    request.mutable_subscribe();
    say(plain, wire::encode_frame(request));
    ASSERT_TRUE(run_until([&] { return door_.knocks() == 0; }));
    EXPECT_NE(received(plain).first.find("this address speaks TLS"), std::string::npos);
}

TEST_F(DoorkeeperTest, IsRidOfGarbageAtOnce) {
    for (const std::string& garbage :
         {std::string("\x16\x03\x01\x00\x05hello", 10), std::string("\x16\x03\x03\xff\xff") + std::string(5000, 'x'),
          std::string(1, '\0'), std::string(3000, '\xff')}) {
        const int fd = knock();
        say(fd, garbage);
        ASSERT_TRUE(run_until([&] { return door_.knocks() == 0; })) << garbage.size();
        EXPECT_TRUE(received(fd).second);
    }
    EXPECT_EQ(door_.counts().no_login, 4U);
    EXPECT_EQ(log_in("good"), "");
}

TEST_F(DoorkeeperTest, MakesPlaceForOneMoreByTheOldestOfThoseThatAreMost) {
    std::vector<int> silent;
    for (std::size_t i = 0; i < 3 * kSilent; i++) silent.push_back(knock());
    EXPECT_EQ(door_.knocks(), kSilent);
    EXPECT_TRUE(received(silent.front()).second);
    EXPECT_FALSE(received(silent.back()).second);
    EXPECT_EQ(log_in("good"), "") << "the newest gets its turn";
}

TEST_F(DoorkeeperTest, IsNotFilledByHandshakesThatNeverEndNorBySilenceBesideThem) {
    std::vector<int> halves;
    for (std::size_t i = 0; i < 3 * kTalking; i++) {
        halves.push_back(knock());
        say(halves.back(), "\x16\x03\x01");
        io_.restart();
        io_.poll();  // what was said is there already
        ASSERT_EQ(door_.counts().no_login, i < kTalking ? 0U : i + 1 - kTalking);
    }
    EXPECT_EQ(door_.knocks(), kTalking);
    EXPECT_TRUE(received(halves.front()).second);
    for (std::size_t i = 0; i < 3 * kSilent; i++) knock();
    EXPECT_FALSE(received(halves.back()).second) << "silence drives out nobody who speaks";
    EXPECT_EQ(log_in("good"), "");
}

TEST_F(DoorkeeperTest, GivesUpOnWhoNeverLogsIn) {
    Doorkeeper hasty(io_, [](Guest) {}, {.time_to_log_in = std::chrono::milliseconds(50)});
    ASSERT_TRUE(hasty.read(files_).ok());
    const int silent = knock(hasty);
    const int half = knock(hasty);
    say(half, "\x16\x03\x01");  // and no more
    ASSERT_TRUE(run_until([&] { return hasty.knocks() == 0; }));
    EXPECT_TRUE(received(silent).second);
    EXPECT_TRUE(received(half).second);
    EXPECT_EQ(hasty.counts().no_login, 2U);
}

TEST_F(DoorkeeperTest, KeepsWhatItKnewWhenTheFilesAreBroken) {
    ASSERT_TRUE(tls::write_private(files_.access, "look token").ok());
    EXPECT_FALSE(door_.read(files_).ok());
    EXPECT_EQ(log_in("good"), "");
    ASSERT_TRUE(tls::write_private(files_.access, "").ok());
    EXPECT_TRUE(door_.read(files_).ok());
    EXPECT_NE(log_in("good"), "") << "it was revoked";
    ASSERT_EQ(::unlink(files_.certificate.c_str()), 0);
    EXPECT_NE(door_.read(files_).error().message.find("sla-agent --make-certificate"), std::string::npos);
}

}  // namespace
}  // namespace sla::stream
