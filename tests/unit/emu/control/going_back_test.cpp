// A PC that goes back while others are at its control socket.
#include "emu/control/control_server.h"
#include "emu/machine/virtual_clock.h"
#include "proto/base/guest_socket.h"
#include "proto/common/guest_client.h"
#include "tests/support/with_directory.h"
#include "tests/unit/emu/support/recording_sink.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace sla::control {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint64_t kSteps = 200'000;  // one by one: seconds
constexpr int kTries = 20;                 // on a machine that is quicker than whoever ends it

// INC EAX, and a jump to it.
std::vector<std::uint8_t> counting_guest() {
    constexpr std::array<std::uint8_t, 4> kCode{0x66, 0x40, 0xEB, 0xFC};
    std::vector<std::uint8_t> image(4096);
    std::copy(kCode.begin(), kCode.end(), image.end() - 16);
    return image;
}

class GoingBack : public support::WithDirectory {
protected:
    void SetUp() override {
        ASSERT_TRUE(pc.memory().load_rom(counting_guest()).ok());
        ASSERT_TRUE(vmm.plug_cpu("unicorn").ok());
        subject.add([this](bus::StateVisitor& state) { vmm.visit_state(state); });
        history.emplace(vmm, subject, ground, std::size_t{64} << 20, history::History::Listener{[](const auto&) {}, [] {}});
        history->begin();
        console.go_back_by(&*history, "");
        auto opened = ControlServer::open(path(), stop, console);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        server = std::move(*opened);
        operators.add(*server);
        vmm.on_stop([this](const cpu::StopPoints::Found& found) { operators.stopped(found); });
        vmm.attend_with([this] { operators.attend(); });
    }
    [[nodiscard]] std::string path() const { return file("pc.control"); }
    [[nodiscard]] common::GuestClient client() const {
        auto made = common::GuestClient::connect(path());
        EXPECT_TRUE(made.ok());
        return std::move(*made);
    }
    // One that asked to go back, and has no answer yet.
    [[nodiscard]] int asking() const {
        const auto address = socket_address(path());
        EXPECT_TRUE(address.ok());
        const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&*address), sizeof *address), 0);
        const std::string line = "reverse-step " + std::to_string(kSteps) + "\n";
        EXPECT_EQ(::send(socket, line.data(), line.size(), MSG_NOSIGNAL), static_cast<ssize_t>(line.size()));
        return socket;
    }
    static std::string reply(common::GuestClient& to, const std::string& line) {
        const auto got = to.ask(line);
        return got ? *got : "error: " + got.error().message;
    }
    static std::uint64_t eax(common::GuestClient& of) {
        const std::string regs = reply(of, "regs");
        const std::size_t at = regs.find("eax ");
        EXPECT_NE(at, std::string::npos) << regs;
        return std::stoull(regs.substr(at + 4), nullptr, 16);
    }
    // Where so many steps can be gone back; EAX there.
    static std::uint64_t stand(common::GuestClient& by) {
        for (;;) {
            EXPECT_EQ(reply(by, "go"), "");
            EXPECT_THAT(reply(by, "pause"), HasSubstr("the guest stands at"));
            if (const std::uint64_t count = eax(by); count > kSteps) return count;
        }
    }
    // A look that comes behind the request is not answered for a while, and taken back then.
    void be_on_the_way() const {
        common::GuestClient looks = client();
        looks.wait_unless([] { return true; });
        reply(looks, "regs");
    }
    void run(const std::function<void()>& talk) {
        std::thread other([&] {
            talk();
            stop.request();
        });
        EXPECT_EQ(vmm.run().ending, vmm::Ending::kStopped);
        other.join();
    }

    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
    machine::StopSignal stop;
    tap::RecordingSink seen{&clock};
    history::KnownGround ground{seen};
    tap::Tap tap{ground};
    vmm::Vmm vmm{pc, tap, stop};
    snapshot::Subject subject;
    std::optional<history::History> history;
    Console console{pc, vmm};
    Operators operators{stop};
    std::unique_ptr<ControlServer> server;
};

TEST_F(GoingBack, LooksMeanwhileWaitUntilItIsThere) {
    run([&] {
        common::GuestClient goes = client();
        common::GuestClient looks = client();
        const std::uint64_t count = stand(goes);
        std::atomic<bool> over = false;
        std::atomic<int> seen_standing = 0;
        std::thread looking([&] {
            while (!over) {
                if (reply(looks, "state guest general").starts_with("[guest]\npaused 1\n")) ++seen_standing;
            }
        });
        while (seen_standing == 0) std::this_thread::yield();
        EXPECT_THAT(reply(goes, "reverse-step " + std::to_string(kSteps)), StartsWith("the guest stands at"));
        const int by_then = seen_standing;
        while (seen_standing == by_then) std::this_thread::yield();
        over = true;
        looking.join();
        EXPECT_EQ(eax(goes), count - kSteps / 2);
    });
}

TEST_F(GoingBack, APauseEndsItWhereTheGuestStood) {
    run([&] {
        common::GuestClient pauses = client();
        std::string answer;
        for (int tries = 0; tries < kTries && !answer.starts_with("failed"); ++tries) {
            const std::uint64_t count = stand(pauses);
            const int goes = asking();
            be_on_the_way();
            EXPECT_THAT(reply(pauses, "pause"), StartsWith("the guest stands at"));
            std::array<char, 200> said{};
            const ssize_t got = ::recv(goes, said.data(), said.size(), 0);
            ::close(goes);
            ASSERT_GT(got, 0);
            answer.assign(said.data(), static_cast<std::size_t>(got));
            if (answer.starts_with("failed")) {
                EXPECT_EQ(eax(pauses), count);
            }
        }
        EXPECT_THAT(answer, HasSubstr("going back was interrupted"));
    });
}

TEST_F(GoingBack, WhoAskedForItEndsItByGoingAway) {
    run([&] {
        common::GuestClient other = client();
        bool ended = false;
        for (int tries = 0; tries < kTries && !ended; ++tries) {
            const std::uint64_t count = stand(other);
            const int goes = asking();
            be_on_the_way();
            ::close(goes);
            ended = eax(other) == count;
        }
        EXPECT_TRUE(ended);
    });
}

}  // namespace
}  // namespace sla::control
