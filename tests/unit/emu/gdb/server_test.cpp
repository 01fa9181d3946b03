// The debugger's socket on a PC that runs, on every CPU: whoever comes, goes or dies, the guest runs on.
#include "emu/control/operators.h"
#include "emu/gdb/gdb_server.h"
#include "emu/gdb/vmm_target.h"
#include "emu/history/history.h"
#include "tests/support/no_descriptors.h"
#include "tests/unit/emu/support/cpu_pc.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

namespace sla::gdb {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What gdb does of the protocol, one packet at a time.
class Debugger {
public:
    Debugger() : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
    explicit Debugger(const std::string& path) : Debugger() { connect(path); }
    ~Debugger() { ::close(socket_); }
    Debugger(const Debugger&) = delete;
    Debugger& operator=(const Debugger&) = delete;

    void connect(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.c_str(), path.size());
        EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    void send(const std::string& bytes) {
        EXPECT_EQ(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    // The next packet that comes; "" once the server closed.
    std::string receive() {
        for (;;) {
            for (; !items_.empty();) {
                const PacketReader::Item item = items_.front();
                items_.erase(items_.begin());
                if (item.kind == PacketReader::Kind::kPacket) return unescape(item.payload);
            }
            std::array<char, 4096> bytes{};
            const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), 0);
            if (got <= 0) return {};
            items_ = reader_.feed({bytes.data(), static_cast<std::size_t>(got)});
        }
    }
    std::string ask(const std::string& packet) {
        send(frame(packet));
        return receive();
    }

private:
    int socket_;
    PacketReader reader_;
    std::vector<PacketReader::Item> items_;
};

class Server : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        char name[] = "/tmp/sla-gdb-XXXXXX";
        ASSERT_NE(::mkdtemp(name), nullptr);
        directory_ = name;
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }
    [[nodiscard]] std::string path() const { return directory_ + "/gdb"; }

    // Runs the guest to its end beside `other`, which talks to it.
    template <typename Talk>
    void run(bool wait, Talk talk) {
        vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "spin"), GetParam());
        if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
        control::Console console(pc.pc, pc.vmm);
        VmmTarget target(pc.vmm, console, pc.stop);
        auto listener = GdbListener::open("unix:" + path());
        ASSERT_TRUE(listener.ok()) << listener.error().message;
        struct stat info {};
        ASSERT_EQ(::stat(path().c_str(), &info), 0);
        EXPECT_EQ(info.st_mode & 0777U, 0600U) << "the owner's only";
        auto server = std::make_unique<GdbServer>(std::move(listener).value(), target, pc.stop, wait);
        control::Operators operators(pc.stop);
        operators.add(*server);
        pc.vmm.on_stop([&](const cpu::StopPoints::Found& found) { operators.stopped(found); });
        pc.vmm.attend_with([&] { operators.attend(); });
        if (wait) pc.stop.call_attention();
        std::thread other(talk);
        const vmm::Outcome end = pc.run();
        server->finish(end.exit_code);
        server.reset();
        other.join();
        EXPECT_EQ(end.ending, vmm::Ending::kExit) << end.message;
        EXPECT_EQ(end.exit_code, 7);
        EXPECT_FALSE(std::filesystem::exists(path()));
    }

    std::string directory_;
};

constexpr const char* kLetEnd = "M602,1:01";

TEST_P(Server, ItBreaksStepsWatchesAndWritesFromTheFirstInstructionOn) {
    run(true, [&] {
        Debugger gdb(path());
        EXPECT_THAT(gdb.ask("qSupported:swbreak+"), HasSubstr("qXfer:features:read+"));
        EXPECT_EQ(gdb.ask("p8"), "f0ffffff") << "the reset vector, linear";
        EXPECT_EQ(gdb.ask("p2a"), "f0ff0000") << "EIP itself";
        EXPECT_EQ(gdb.ask("Z0,ff009,1"), "OK");
        EXPECT_THAT(gdb.ask("vCont;c"), HasSubstr("swbreak"));
        EXPECT_EQ(gdb.ask("p8"), "09f00f00");
        EXPECT_EQ(gdb.ask("m600,2"), "0000") << "before the INC";
        EXPECT_EQ(gdb.ask("vCont;s"), "T05thread:1;");
        EXPECT_EQ(gdb.ask("m600,2"), "0100");
        EXPECT_THAT(gdb.ask("c"), HasSubstr("swbreak")) << "the next round";
        EXPECT_EQ(gdb.ask("z0,ff009,1"), "OK");
        EXPECT_EQ(gdb.ask("Z2,600,2"), "OK");
        EXPECT_EQ(gdb.ask("c"), "T05watch:600;thread:1;");
        EXPECT_EQ(gdb.ask("m600,2"), "0200");
        EXPECT_EQ(gdb.ask("z2,600,2"), "OK");
        const bool reads = GetParam() == std::string_view("x86emu");
        EXPECT_THAT(gdb.ask("Z3,602,1"),
                    reads ? std::string("OK")
                          : "E.the CPU \"" + std::string(GetParam()) + "\" sees no reads of memory; use --cpu x86emu");
        if (reads) {
            EXPECT_EQ(gdb.ask("c"), "T05rwatch:602;thread:1;");
        }
        EXPECT_EQ(gdb.ask("z3,602,1"), "OK");
        const std::string regs = "72656773";
        EXPECT_NE(gdb.ask("qRcmd," + regs), "");
        const std::string step = "73746570";
        EXPECT_THAT(from_hex(gdb.ask("qRcmd," + step)).value_or(""), HasSubstr("the debugger lets the guest run"));
        EXPECT_EQ(gdb.ask(kLetEnd), "OK");
        EXPECT_EQ(gdb.ask("c"), "W07");
    });
}

TEST_P(Server, AnInterruptStopsAGuestThatRuns) {
    run(true, [&] {
        Debugger gdb(path());
        gdb.send(frame("c"));
        gdb.send("\3");
        EXPECT_EQ(gdb.receive(), "T02thread:1;");
        EXPECT_EQ(gdb.ask(kLetEnd), "OK");
        EXPECT_EQ(gdb.ask("D"), "OK");
    });
}

TEST_P(Server, ASecondDebuggerIsRefusedInWords) {
    run(true, [&] {
        Debugger first(path());
        EXPECT_THAT(first.ask("?"), StartsWith("S05"));
        Debugger second(path());
        EXPECT_THAT(second.ask("qSupported"), HasSubstr("another debugger is connected"));
        EXPECT_EQ(first.ask(kLetEnd), "OK") << "which goes on";
        EXPECT_EQ(first.ask("c"), "W07");
    });
}

TEST_P(Server, OneWhomNoDescriptorIsLeftForWaitsAtNoCostAndIsServedOnceThereIsOne) {
    run(true, [&] {
        Debugger gdb;
        {
            const support::NoDescriptors none;
            gdb.connect(path());
            EXPECT_LT(support::cpu_time_meanwhile().count(), 150);
        }
        EXPECT_EQ(gdb.ask(kLetEnd), "OK");
        EXPECT_EQ(gdb.ask("c"), "W07");
    });
}

TEST_P(Server, OneThatGoesAwayWithItsBreakpointsLeavesTheGuestRunning) {
    run(true, [&] {
        {
            Debugger gone(path());
            EXPECT_EQ(gone.ask("Z0,ff009,1"), "OK");
            EXPECT_THAT(gone.ask("c"), HasSubstr("swbreak"));
            gone.send(frame("c").substr(0, 3));
        }
        // The server sees the end of the first before it takes the next: one that comes too early is refused, and asks again.
        for (bool served = false; !served;) {
            Debugger next(path());
            served = next.ask("?").starts_with("S05");
            if (served) {
                EXPECT_EQ(next.ask(kLetEnd), "OK");
            }
        }
    });
}

// Both come at once; a machine that is quicker than the second goes back again, from farther away each time.
TEST(GoingBack, ADebuggersInterruptEndsIt) {
    char directory[] = "/tmp/sla-gdb-XXXXXX";
    ASSERT_NE(::mkdtemp(directory), nullptr);
    const std::string path = std::string(directory) + "/gdb";
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "spin"), "x86emu");
    history::KnownGround ground(pc.seen);
    snapshot::Subject subject;
    subject.add([&](bus::StateVisitor& state) { pc.vmm.visit_state(state); });
    history::History history(pc.vmm, subject, ground, std::size_t{64} << 20, {[](const std::string&) {}, [] {}});
    history.begin();
    control::Console console(pc.pc, pc.vmm);
    console.go_back_by(&history, "");
    VmmTarget target(pc.vmm, console, pc.stop);
    auto listener = GdbListener::open("unix:" + path);
    ASSERT_TRUE(listener.ok()) << listener.error().message;
    GdbServer server(std::move(listener).value(), target, pc.stop, true);
    control::Operators operators(pc.stop);
    operators.add(server);
    pc.vmm.attend_with([&] { operators.attend(); });
    pc.stop.call_attention();
    std::string answer;
    std::thread other([&] {
        Debugger gdb(path);
        for (int tries = 0; tries < 100 && !answer.starts_with("E."); ++tries) {
            gdb.send(frame("c"));
            std::this_thread::sleep_for(std::chrono::milliseconds(tries));  // the way back is as long
            gdb.send("\3");
            EXPECT_EQ(gdb.receive(), "T02thread:1;");
            gdb.send(frame("bc") + "\3");
            answer = gdb.receive();
        }
        pc.stop.request();
    });
    EXPECT_EQ(pc.run().ending, vmm::Ending::kStopped);
    other.join();
    std::filesystem::remove_all(directory);
    EXPECT_THAT(answer, HasSubstr("going back was interrupted"));
}

TEST(Target, AnInterruptTakesBackADebuggersOwnStepOnly) {
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "spin"), "unicorn");
    control::Console console(pc.pc, pc.vmm);
    VmmTarget target(pc.vmm, console, pc.stop);
    ASSERT_TRUE(console.run("step 1000").ok());
    target.resume(false);
    target.interrupt();
    EXPECT_TRUE(pc.vmm.stop_points().stepping()) << "somebody at the control socket waits for it";
    console.give_up();
    target.resume(true);
    target.interrupt();
    EXPECT_FALSE(pc.vmm.stop_points().stepping());
}

TEST(Listener, OnlyThisHostMayDebug) {
    const auto refused = GdbListener::open("tcp:192.0.2.1:1234");
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("only unix:PATH and tcp:127.0.0.1:PORT"));
    EXPECT_EQ(GdbListener::open("tcp:127.0.0.1:99999").error().message,
              "--gdb tcp:127.0.0.1:99999: this is no address; write unix:PATH or tcp:127.0.0.1:PORT");
    const auto any = GdbListener::open("tcp:127.0.0.1:0");
    ASSERT_TRUE(any.ok()) << any.error().message;
    EXPECT_THAT(any->text(), StartsWith("127.0.0.1:"));
    EXPECT_NE(any->text(), "127.0.0.1:0");
}

TEST(Listener, AFileInItsPlaceIsKept) {
    const auto refused = GdbListener::open("unix:/dev/null");
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("is no socket"));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Server, testing::Values("unicorn", "x86emu", "kvm"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::gdb
