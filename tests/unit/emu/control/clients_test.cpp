// Several clients at the control socket: none waits for another.
#include "emu/control/control_server.h"
#include "proto/base/guest_socket.h"
#include "proto/common/guest_client.h"
#include "tests/support/no_descriptors.h"
#include "tests/support/with_directory.h"
#include "tests/unit/emu/support/cpu_pc.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace sla::control {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string reply(common::GuestClient& pc, const std::string& line) {
    const auto got = pc.ask(line);
    return got ? *got : "error: " + got.error().message;
}

class Clients : public support::WithDirectory {
protected:
    void SetUp() override {
        auto opened = ControlServer::open(path(), pc.stop, console);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        server = std::move(*opened);
        operators.add(*server);
        pc.vmm.on_stop([this](const cpu::StopPoints::Found& found) { operators.stopped(found); });
        pc.vmm.attend_with([this] { operators.attend(); });
    }
    [[nodiscard]] std::string path() const { return file("pc.control"); }
    common::GuestClient client() const {
        auto made = common::GuestClient::connect(path());
        EXPECT_TRUE(made.ok());
        return std::move(*made);
    }
    // A socket as it is.
    int connected() const {
        const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        connect(socket);
        return socket;
    }
    void connect(int socket) const {
        const auto address = socket_address(path());
        EXPECT_TRUE(address.ok());
        EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&*address), sizeof *address), 0);
    }
    static std::string all_from(int socket) {
        std::string said;
        std::array<char, 1024> chunk{};
        for (ssize_t got = 0; (got = ::recv(socket, chunk.data(), chunk.size(), 0)) > 0;)
            said.append(chunk.data(), static_cast<std::size_t>(got));
        return said;
    }
    // Runs the guest, which waits for ever, until `talk` is over.
    void run(const std::function<void()>& talk) {
        std::thread other([&] {
            talk();
            pc.stop.request();
        });
        EXPECT_EQ(pc.run().ending, vmm::Ending::kStopped);
        other.join();
    }

    vmm::CpuPc pc{vmm::assembled_guest(SLA_GUEST_DIR, "waits"), "unicorn"};
    tap::RecordingSink seen{&pc.pc.clock()};
    EventStop events{seen, pc.pc.clock()};
    Console console{pc.pc, pc.vmm, &events};
    Operators operators{pc.stop};
    std::unique_ptr<ControlServer> server;
};

TEST_F(Clients, OneThatSaysNothingKeepsNobodyOut) {
    const common::GuestClient idle = client();
    run([&] {
        common::GuestClient asks = client();
        EXPECT_THAT(reply(asks, "regs"), HasSubstr("cs f000"));
        common::GuestClient another = client();
        EXPECT_THAT(reply(another, "regs"), HasSubstr("cs f000"));
        EXPECT_THAT(reply(asks, "cr0"), HasSubstr("cr0 "));
    });
}

TEST_F(Clients, WhileOneWaitsForTheGuestOthersAreServedAndMayStopIt) {
    run([&] {
        common::GuestClient waits = client();
        std::string stopped;
        std::thread waiting([&] {
            do stopped = reply(waits, "run-to 0:1234");
            while (stopped.starts_with("error: somebody waits already"));  // for the steps below
        });
        common::GuestClient other = client();
        while (reply(other, "step").find("error: somebody waits already") == std::string::npos) std::this_thread::yield();
        EXPECT_THAT(reply(other, "regs"), HasSubstr("cs f000"));
        EXPECT_THAT(reply(other, "pause"), HasSubstr("the guest stands at"));
        waiting.join();
        EXPECT_THAT(stopped, HasSubstr("the guest stands at"));
        EXPECT_EQ(reply(other, "go"), "");
    });
}

TEST_F(Clients, WhoWaitsForAnEventOfAChannelThatIsNotThereIsToldSoMeanwhile) {
    events.open("port.post", "");
    run([&] {
        common::GuestClient waits = client();
        common::GuestClient other = client();
        std::vector<std::string> notes;
        waits.on_note([&](const std::string& text) {
            notes.push_back(text);
            EXPECT_THAT(reply(other, "pause"), HasSubstr("the guest stands at"));
        });
        EXPECT_THAT(reply(waits, "run-to-event port.pots"), HasSubstr("the guest stands at"));
        const std::string text = "no channel is called 'port.pots' yet (did you mean 'port.post'?); waiting for it\n";
        EXPECT_EQ(notes, std::vector<std::string>{text});
        EXPECT_EQ(reply(other, "go"), "");
    });
}

TEST_F(Clients, AndWhenOneOpensThatIsNear) {
    events.open("irq.0.isr", "");
    run([&] {
        common::GuestClient waits = client();
        common::GuestClient other = client();
        std::vector<std::string> notes;
        waits.on_note([&](const std::string& text) {
            notes.push_back(text);
            if (notes.size() == 1) return server->tell_waiter("now one is near");
            EXPECT_THAT(reply(other, "pause"), HasSubstr("the guest stands at"));
        });
        EXPECT_THAT(reply(waits, "run-to-event port.pots"), HasSubstr("the guest stands at"));
        EXPECT_EQ(notes,
                  (std::vector<std::string>{"no channel is called 'port.pots' yet; waiting for it\n", "now one is near\n"}));
        notes = {"no more"};
        server->tell_waiter("nobody waits");
        EXPECT_EQ(reply(waits, "go"), "");
        EXPECT_EQ(notes.size(), 1U);
    });
}

TEST_F(Clients, TheWaitOfOneThatIsGoneEnds) {
    run([&] {
        {
            common::GuestClient gone = client();
            gone.wait_unless([] { return true; });
            EXPECT_THAT(reply(gone, "run-to 0:1234"), HasSubstr("did not answer yet"));
        }
        common::GuestClient next = client();
        while (reply(next, "step").find("error: somebody waits already") != std::string::npos) std::this_thread::yield();
        EXPECT_THAT(reply(next, "step"), HasSubstr("the guest stands at"));
    });
}

// Nothing is run until the test says so. What is too long the server's thread refuses by itself, so an answer to that shows what
// it has seen.
TEST_F(Clients, WhatOneAskedThatIsGoneIsNotRun) {
    {
        common::GuestClient gone = client();
        gone.wait_unless([] { return true; });
        EXPECT_THAT(reply(gone, "set ebx 77"), HasSubstr("did not answer yet"));
    }
    common::GuestClient next = client();
    for (int i = 0; i < 2; ++i) EXPECT_THAT(reply(next, std::string(5000, 'x')), HasSubstr("at most 4096 bytes"));
    server->serve();
    EXPECT_EQ(pc.vmm.cpu().full_state().general[cpu::kEbx], 0U);
}

TEST_F(Clients, ALineThatIsTooLongIsRefusedAndTheNextOneIsServed) {
    run([&] {
        common::GuestClient asks = client();
        EXPECT_THAT(reply(asks, "write 0:700" + std::string(5000, ' ') + "1"), StartsWith("error: a command has at most"));
        EXPECT_THAT(reply(asks, std::string(300'000, 'x')), StartsWith("error: a command has at most"));
        EXPECT_THAT(reply(asks, "cr0"), HasSubstr("cr0 "));
        EXPECT_THAT(reply(asks, "cr0\ncr3"), StartsWith("error: a command is one line"));
        EXPECT_THAT(reply(asks, "cr3"), HasSubstr("cr3 "));
    });
}

// Its answers would wait in the server's memory without end. What it asked all the same is answered once it reads.
TEST_F(Clients, OneThatReadsNoAnswersIsNotHeardMeanwhile) {
    run([&] {
        constexpr std::size_t kMany = 400;  // of 13 KB each
        const std::string line = "x 0:0 4096\n";
        const int socket = connected();
        std::size_t asked = 0;
        common::GuestClient other = client();
        for (int refused = 0; refused < 3 && asked < kMany;) {
            const ssize_t sent = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent == static_cast<ssize_t>(line.size())) {
                ++asked;
                refused = 0;
                continue;
            }
            ASSERT_LT(sent, 0);
            ++refused;  // as long as another was served so often
            for (int i = 0; i < 100; ++i) EXPECT_THAT(reply(other, "cr0"), StartsWith("cr0 "));
        }
        EXPECT_LT(asked, kMany);
        ::shutdown(socket, SHUT_WR);
        const std::string said = all_from(socket);
        std::size_t answers = 0;
        for (std::size_t at = 0; (at = said.find("ok ", at)) != std::string::npos; ++at) ++answers;
        EXPECT_EQ(answers, asked);
        ::close(socket);
    });
}

TEST_F(Clients, ASocketThatSomebodyListensAtIsLeftToHim) {
    const auto second = ControlServer::open(path(), pc.stop, console);
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(second.error().message, HasSubstr("another program listens at " + path()));
    run([&] {
        common::GuestClient asks = client();
        EXPECT_THAT(reply(asks, "regs"), HasSubstr("cs f000"));
    });
    server.reset();
    const auto next = ControlServer::open(path(), pc.stop, console);
    EXPECT_TRUE(next.ok());
}

TEST_F(Clients, OneWhomNoDescriptorIsLeftForWaitsAtNoCostAndIsServedOnceThereIsOne) {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    {
        const support::NoDescriptors none;
        connect(socket);
        EXPECT_LT(support::cpu_time_meanwhile().count(), 150);
    }
    run([&] {
        const std::string line = "cr0\n";
        ASSERT_EQ(::send(socket, line.data(), line.size(), MSG_NOSIGNAL), static_cast<ssize_t>(line.size()));
        ::shutdown(socket, SHUT_WR);
        EXPECT_THAT(all_from(socket), StartsWith("ok 13\ncr0 "));
    });
    ::close(socket);
}

// As `printf 'regs\ncr0\n' | nc -N -U PATH` has it.
TEST_F(Clients, OneThatOnlyEndsItsOwnSideGetsAllAnswers) {
    run([&] {
        const int socket = connected();
        const std::string lines = "regs\ncr0\n";
        ASSERT_EQ(::send(socket, lines.data(), lines.size(), MSG_NOSIGNAL), static_cast<ssize_t>(lines.size()));
        ::shutdown(socket, SHUT_WR);
        const std::string said = all_from(socket);
        EXPECT_THAT(said, StartsWith("ok "));
        EXPECT_THAT(said, HasSubstr("\nok 13\ncr0 "));
        ::close(socket);
    });
}

}  // namespace
}  // namespace sla::control
