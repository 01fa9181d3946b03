// The file of sla record --trigger: when it takes the place of what was there, and what becomes of it meanwhile.
#include "tests/support/agent_under_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sla {
namespace {

using support::Process;
using testing::HasSubstr;
using testing::Not;

class ShotFile : public testing::Test {
protected:
    static constexpr int kOutsideFailed = 3;
    static constexpr int kRefused = 2;
    static constexpr const char* kRecordedBefore = "\x89SLA\r\n\x1a\nrecorded before";  // begins as a capture does

    void SetUp() override { std::ofstream(file_) << kRecordedBefore; }
    [[nodiscard]] std::string content() const {
        std::ifstream in(file_);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::vector<std::string> record(std::vector<std::string> words) {
        words.insert(words.begin(), {SLA_BINARIES "/sla", "record", "-o", file_, "--trigger", "t.fire > 35"});
        return words;
    }

    support::AgentUnderTest agent_{SLA_BINARIES};
    const std::string file_ = agent_.file("shots.sla");
};

TEST_F(ShotFile, ATriggerThatTheAgentRefusesLeavesWhatIsThere) {
    ASSERT_TRUE(agent_.start());
    Process running(record({"--window", "1000h", "--for", "1s"}), agent_.environment());
    EXPECT_EQ(running.wait().code, kRefused);
    EXPECT_THAT(running.errors(), HasSubstr("a trigger's window lies between"));
    EXPECT_EQ(content(), kRecordedBefore);
    Process program(record({"--window", "1000h", "--", SLA_TEST_TRIGGER, "1", "1"}), agent_.environment());
    EXPECT_EQ(program.wait().code, kRefused);
    EXPECT_EQ(content(), kRecordedBefore);
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(ShotFile, WhoStopsBeforeTheAgentAnswersLeavesWhatIsThere) {
    std::filesystem::create_directory(agent_.runtime());
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    agent_.file("silent").copy(name.sun_path, sizeof name.sun_path - 1);
    const int silent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(bind(silent, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
    ASSERT_EQ(listen(silent, 8), 0);
    Process recorder(record({"--address", "unix:" + agent_.file("silent")}), agent_.environment());
    const int connected = accept4(silent, nullptr, nullptr, SOCK_CLOEXEC);
    recorder.signal(SIGINT);
    EXPECT_EQ(recorder.wait().code, kOutsideFailed);
    EXPECT_THAT(recorder.errors(), HasSubstr("nothing is recorded"));
    EXPECT_EQ(content(), kRecordedBefore);
    close(connected);
    close(silent);
}

TEST_F(ShotFile, ARecordingWhoseFileIsRemovedEndsWithAnError) {
    ASSERT_TRUE(agent_.start());
    Process recorder(record({}), agent_.environment());
    ASSERT_TRUE(support::eventually([&] { return content() != kRecordedBefore; })) << recorder.errors();
    std::filesystem::remove(file_);
    EXPECT_EQ(recorder.wait().code, kOutsideFailed);
    EXPECT_THAT(recorder.errors(), HasSubstr("was removed, moved away or replaced"));
    EXPECT_FALSE(std::filesystem::exists(file_));
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_F(ShotFile, AProgramWhoseFileIsRemovedRunsToItsEndAndTheErrorIsSaid) {
    std::filesystem::create_directory(agent_.runtime());
    Process recorder(record({"--", "/bin/sh", "-c", "rm " + file_ + "; echo done"}), agent_.environment());
    EXPECT_EQ(recorder.wait().code, kOutsideFailed);
    EXPECT_THAT(recorder.output(), HasSubstr("done"));
    EXPECT_THAT(recorder.errors(), HasSubstr("was removed, moved away or replaced"));
    EXPECT_THAT(recorder.errors(), Not(HasSubstr(" shots")));
}

// What was shot is in the file soon after, whatever becomes of the recorder.
TEST_F(ShotFile, AShotIsInTheFileOfARecorderThatIsKilledLater) {
    ASSERT_TRUE(agent_.start());
    Process recorder(record({"--window", "1ms"}), agent_.environment());
    ASSERT_TRUE(support::eventually([&] { return content() != kRecordedBefore; })) << recorder.errors();
    Process program({SLA_TEST_TRIGGER, "100", "500"}, agent_.environment());
    EXPECT_EQ(program.wait().code, 0);
    const auto has_shots = [&] {
        Process check({SLA_BINARIES "/sla", "channels", file_, "--format", "csv"}, agent_.environment());
        check.wait();
        return check.output().find("t.fire") != std::string::npos;
    };
    EXPECT_TRUE(support::eventually(has_shots));
    recorder.signal(SIGKILL);
    recorder.wait();
    EXPECT_EQ(agent_.stop(), 0);
}

}  // namespace
}  // namespace sla
