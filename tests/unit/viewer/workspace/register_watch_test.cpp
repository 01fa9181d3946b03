#include "viewer/workspace/counters/register_watch.h"

#include "tests/support/fake_guest.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>

namespace sla::workspace {
namespace {

std::vector<counters::StateSection> state(const std::string& paused, const std::string& eax, const std::string& count) {
    auto parsed = counters::parse_guest_state("[guest]\npaused " + paused + "\n[general]\neax " + eax +
                                              "\n[control]\ncr0 10\n[segments]\ncs f000\n[pit]\ncount " + count + "\n");
    EXPECT_TRUE(parsed.ok());
    return *parsed;
}

TEST(RegisterTables, MarkWhatChangedSinceTheLastLook) {
    RegisterTable table;
    table.take(state("0", "1", "5"));
    EXPECT_FALSE(table.has_changed("general", "eax")) << "the first look";
    table.take(state("0", "2", "5"));
    EXPECT_TRUE(table.has_changed("general", "eax"));
    EXPECT_FALSE(table.has_changed("pit", "count"));
    table.take(state("0", "2", "6"));
    EXPECT_FALSE(table.has_changed("general", "eax"));
    EXPECT_TRUE(table.has_changed("pit", "count"));
}

TEST(RegisterTables, KeepTheMarksWhileTheGuestStandsWhereItStood) {
    RegisterTable table;
    table.take(state("1", "1", "5"));
    table.take(state("1", "2", "5"));  // a step
    table.take(state("1", "2", "9"));  // the timer goes on by the host's clock
    EXPECT_TRUE(table.is_paused());
    EXPECT_TRUE(table.has_changed("general", "eax"));
    EXPECT_EQ(*counters::find_value(table.sections(), "pit", "count"), "5");
    table.take(state("0", "2", "9"));
    EXPECT_FALSE(table.has_changed("general", "eax"));
}

TEST(GuestStates, AreReadOrRefused) {
    const auto read = counters::parse_guest_state("[pic]\nmaster.imr b8\n[rtc]\nmemory 01 02 and 3 more\n");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*counters::find_value(*read, "rtc", "memory"), "01 02 and 3 more");
    EXPECT_EQ(counters::find_value(*read, "pic", "memory"), nullptr);
    EXPECT_FALSE(counters::parse_guest_state("eax 5\n").ok()) << "of no section";
    EXPECT_FALSE(counters::parse_guest_state("[general]\nwhat\n").ok());
    EXPECT_EQ(counters::flags_in_words(0x3246), "IF ZF PF IOPL 3");
    EXPECT_EQ(counters::flags_in_words(2), "");
}

TEST(GuestStates, SayWhatASegmentIs) {
    EXPECT_EQ(counters::attributes_in_words(0x00009A00), "code, readable, ring 0, 16-bit");
    EXPECT_EQ(counters::attributes_in_words(0x00C0F300), "data, writable, ring 3, 32-bit");
    EXPECT_EQ(counters::attributes_in_words(0x00409D00), "code, execute-only, conforming, ring 0, 32-bit");
    EXPECT_EQ(counters::attributes_in_words(0x0000B500), "data, read-only, expand-down, ring 1, 16-bit");
    EXPECT_EQ(counters::attributes_in_words(0x00008B00), "system, type 11, ring 0");
    EXPECT_EQ(counters::attributes_in_words(0), "not present");
    EXPECT_EQ(counters::attributes_in_words(0xFFFF7FFF), "not present");
}

TEST(GuestStates, APrivilegeLevelIsADigit) {
    EXPECT_EQ(counters::readable_value({"cpl", "00000003"}), "3");
    EXPECT_EQ(counters::readable_value({"cpl", "00000000"}), "0");
    EXPECT_EQ(counters::readable_value({"cpl", ""}), "");
    EXPECT_EQ(counters::readable_value({"cr0", "00000010"}), "00000010");
}

TEST(GuestCode, IsAddressNameAndInstruction) {
    const auto code = counters::parse_guest_code(
        "f000:0000f1aa <on_irq0+0x1>  66ff060006           inc dword ptr [0x0600]\n"
        "f000:0000f1af  cf                   iret\n"
        "0008:fffffff0  --\n"
        "0008:00000010  90  \n"
        "0008:00000011  \n"
        "[guest]\npaused 1\n");
    EXPECT_EQ(code, (std::vector<counters::CodeLine>{{"f000:0000f1aa", "on_irq0+0x1", "inc dword ptr [0x0600]"},
                                                     {"f000:0000f1af", "", "iret"},
                                                     {"0008:fffffff0", "", "--"},
                                                     {"0008:00000010", "", "90"}}));
}

class RegisterWatches : public ::testing::Test {
protected:
    void SetUp() override {
        char name[] = "/tmp/sla-registers-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        directory_ = name;
        setenv("SLA_RUNTIME_DIR", name, 1);
    }
    void TearDown() override {
        watch_.stop();
        unsetenv("SLA_RUNTIME_DIR");
        std::filesystem::remove_all(directory_);
    }
    [[nodiscard]] bool becomes(const std::function<bool()>& is_so) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < until) {
            watch_.poll();
            if (is_so()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    static std::string running(const std::string&) { return "[guest]\npaused 0\n[general]\neax 00000001\n"; }

    std::string directory_;
    RegisterWatch watch_;
};

TEST_F(RegisterWatches, LookAtNobodyUntilTheyAreAskedAndNoMoreWhenTheyStop) {
    support::FakeGuest guest(101, running);
    ASSERT_TRUE(guest.is_there());
    watch_.poll();
    EXPECT_FALSE(watch_.is_watching());
    EXPECT_EQ(guest.connections(), 0);
    watch_.watch(0);
    ASSERT_TRUE(becomes([&] { return !watch_.table().sections().empty(); })) << watch_.problem();
    EXPECT_EQ(watch_.process(), 101);
    watch_.stop();  // the job has ended when that returns, and with it every connection of its
    ASSERT_TRUE(
        becomes([&, last = -1]() mutable { return std::exchange(last, guest.connections()) == guest.connections(); }));
    const int looks = guest.connections();
    for (int i = 0; i < 400; ++i) {
        watch_.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(guest.connections(), looks);
    EXPECT_TRUE(watch_.table().sections().empty());
}

TEST_F(RegisterWatches, AskForStepsAndSayWhatCameOfThem) {
    std::atomic<int> steps = 0;
    support::FakeGuest guest(102, [&](const std::string& command) {
        if (command == "step") ++steps;
        return "[guest]\npaused 1\n[general]\neax 0000000" + std::to_string(steps % 10) +
               "\n[control]\ncr0 10\n[segments]\ncs 0\n";
    });
    watch_.watch(102);
    ASSERT_TRUE(becomes([&] { return watch_.table().is_paused(); })) << watch_.problem();
    watch_.ask("step");
    ASSERT_TRUE(becomes([&] { return watch_.table().has_changed("general", "eax"); })) << watch_.problem();
    EXPECT_EQ(steps, 1);
}

TEST_F(RegisterWatches, ShowTheNextInstructionsOfAGuestThatStands) {
    std::atomic<bool> stands = false;
    support::FakeGuest guest(108, [&](const std::string& command) -> std::string {
        if (command == "disassemble") return "f000:0000f1af  cf                   iret\n";
        return "[guest]\npaused " + std::to_string(stands) +
               "\n[general]\neax 00000001\n[control]\ncr0 10\n[segments]\ncs 0\n";
    });
    watch_.watch(108);
    ASSERT_TRUE(becomes([&] { return watch_.is_there(); })) << watch_.problem();
    EXPECT_TRUE(watch_.code().empty());
    stands = true;
    EXPECT_TRUE(becomes([&] { return watch_.code().size() == 1 && watch_.code()[0].instruction == "iret"; }));
    stands = false;
    EXPECT_TRUE(becomes([&] { return watch_.code().empty(); }));
}

TEST_F(RegisterWatches, PauseAtOnceAPcThatTheyAskedToGoBack) {
    std::atomic<bool> released = false;
    support::FakeGuest guest(107, [&](const std::string& command) -> std::string {
        while (command == "reverse-step" && !released) std::this_thread::yield();
        if (command == "pause") return "the guest stands at f000:e05b\n";
        return "[guest]\npaused 1\n[general]\neax 00000001\n[control]\ncr0 10\n[segments]\ncs 0\n";
    });
    watch_.watch(107);
    EXPECT_TRUE(becomes([&] { return watch_.is_there(); })) << watch_.problem();
    watch_.ask("reverse-step");
    EXPECT_TRUE(becomes([&] { return watch_.under_way() == "goes back"; }));
    watch_.ask("pause");
    EXPECT_TRUE(becomes([&] { return watch_.under_way().empty(); })) << "it waits for its answer";
    released = true;
    EXPECT_TRUE(becomes([&] { return watch_.said() == "the guest stands at f000:e05b"; })) << watch_.said();
    EXPECT_TRUE(watch_.is_there()) << watch_.problem();
}

TEST_F(RegisterWatches, KnowWhetherAPcGoesBackAndKeepWhatWasSaid) {
    support::FakeGuest guest(106, [](const std::string& command) -> std::string {
        if (command == "history") return "error: this run keeps no history";
        if (command == "reverse-step") return "error: it cannot";
        if (command == "step") return "the guest stands at f000:e05b\n000fe05b  90  nop\n";
        return "[guest]\npaused 1\n[general]\neax 00000001\n[control]\ncr0 10\n[segments]\ncs 0\n";
    });
    watch_.watch(106);
    ASSERT_TRUE(becomes([&] { return watch_.is_there(); })) << watch_.problem();
    EXPECT_EQ(watch_.why_not_back(), "this run keeps no history");
    EXPECT_EQ(watch_.said(), "");
    watch_.ask("reverse-step");
    ASSERT_TRUE(becomes([&] { return watch_.said() == "it cannot"; }));
    EXPECT_TRUE(watch_.is_there()) << "the PC is as well as before";
    watch_.ask("step");
    ASSERT_TRUE(becomes([&] { return watch_.said() == "the guest stands at f000:e05b"; }));
}

TEST_F(RegisterWatches, DoNotLetAGuestGoThatWasToStopAtNoEvent) {
    support::FakeGuest guest(108, [](const std::string& command) -> std::string {
        if (command == "stop-at nonsense (") return "error: no trigger\n  nonsense (\n           ^";
        return command == "stop-at irq.0" || command == "go" ? "" : "[guest]\npaused 1\n[general]\neax 00000001\n";
    });
    watch_.watch(108);
    ASSERT_TRUE(becomes([&] { return watch_.is_there(); })) << watch_.problem();
    const auto gone = [&] {
        const auto asked = guest.commands();
        return std::count(asked.begin(), asked.end(), "go");
    };
    watch_.ask("stop-at nonsense (", "go");
    ASSERT_TRUE(becomes([&] { return watch_.said() == "no trigger"; }));
    EXPECT_EQ(gone(), 0);
    watch_.ask("stop-at irq.0", "go");
    ASSERT_TRUE(becomes([&] { return watch_.said().empty(); }));
    EXPECT_EQ(gone(), 1);
}

TEST_F(RegisterWatches, DoNotSayWhereTheGuestStandsOnceSomebodyElseMovedIt) {
    std::atomic<int> eip = 10;
    support::FakeGuest guest(109, [&](const std::string& command) -> std::string {
        if (command == "step") return "the guest stands at f000:00000011\n";
        if (command == "fly") return "error: there is no command";
        return "[guest]\npaused 1\n[general]\neip 000000" + std::to_string(eip) + "\n[segments]\ncs f000\n";
    });
    watch_.watch(109);
    ASSERT_TRUE(becomes([&] { return watch_.is_there(); })) << watch_.problem();
    watch_.ask("step");
    ASSERT_TRUE(becomes([&] { return watch_.said() == "the guest stands at f000:00000011"; }));
    eip = 20;
    EXPECT_TRUE(becomes([&] { return watch_.said().empty(); }));
    watch_.ask("fly");
    ASSERT_TRUE(becomes([&] { return watch_.said() == "there is no command"; }));
    const int looks = guest.connections();
    eip = 30;
    EXPECT_TRUE(becomes([&] { return guest.connections() > looks + 1; }));
    EXPECT_EQ(watch_.said(), "there is no command") << "what went wrong can still be read";
}

TEST_F(RegisterWatches, SayWhenNoPcRunsWhenItEndsAndWhenSeveralDo) {
    watch_.watch(0);
    ASSERT_TRUE(becomes([&] { return watch_.problem() == "No emulated PC runs: start one by sla-emu run."; }));
    auto first = std::make_unique<support::FakeGuest>(103, running);
    ASSERT_TRUE(becomes([&] { return watch_.process() == 103 && watch_.problem().empty(); })) << watch_.problem();
    support::FakeGuest second(104, running);
    ASSERT_TRUE(becomes([&] { return watch_.problem() == "Several emulated PCs run: choose one."; }));
    EXPECT_EQ(watch_.running(), (std::vector<pid_t>{103, 104}));
    watch_.watch(103);
    ASSERT_TRUE(becomes([&] { return watch_.process() == 103 && watch_.problem().empty(); })) << watch_.problem();
    first.reset();
    ASSERT_TRUE(becomes([&] { return watch_.problem() == "The emulated PC of process 103 has ended."; }))
        << watch_.problem();
}

// A process of its own, which can be stopped.
class GuestProcess {
public:
    explicit GuestProcess(support::FakeGuest::Answer answer) : pid_(::fork()) {
        if (pid_ != 0) return;
        const support::FakeGuest guest(::getpid(), std::move(answer));
        for (;;) ::pause();
    }
    ~GuestProcess() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    GuestProcess(const GuestProcess&) = delete;
    GuestProcess& operator=(const GuestProcess&) = delete;
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    pid_t pid_;
};

TEST_F(RegisterWatches, SayThatAStoppedPcDoesNotAnswerAndHowOldItsRegistersAre) {
    const GuestProcess guest(running);
    watch_.watch(0);
    ASSERT_TRUE(becomes([&] { return watch_.is_there(); })) << watch_.problem();
    EXPECT_FALSE(watch_.age());
    ::kill(guest.pid(), SIGSTOP);
    ASSERT_TRUE(becomes([&] { return watch_.age() && watch_.age()->count() >= 1; })) << watch_.problem();
    EXPECT_NE(watch_.problem().find("its process is stopped"), std::string::npos) << watch_.problem();
    EXPECT_FALSE(watch_.table().sections().empty()) << "what was seen last can still be read";
    ::kill(guest.pid(), SIGCONT);
    ASSERT_TRUE(becomes([&] { return watch_.is_there(); })) << watch_.problem();
    EXPECT_FALSE(watch_.age());
}

TEST_F(RegisterWatches, RefuseWhatIsNoState) {
    support::FakeGuest guest(105, [](const std::string&) { return std::string("hello"); });
    watch_.watch(105);
    ASSERT_TRUE(becomes([&] { return watch_.problem().starts_with("what listens there gives no state"); }))
        << watch_.problem();
}

}  // namespace
}  // namespace sla::workspace
