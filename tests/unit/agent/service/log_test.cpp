#include "agent/service/log.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace sla::service {
namespace {

Environment journal(const std::string& stream) {
    return [stream](const char*) { return std::optional(stream); };
}

TEST(Log, IsTheJournalsOnlyIfStderrIsTheStreamThatWasNamed) {
    struct stat info {};
    ASSERT_EQ(::fstat(STDERR_FILENO, &info), 0);
    const std::string inode = std::to_string(info.st_ino);
    EXPECT_TRUE(stderr_is_journal(journal(std::to_string(info.st_dev) + ":" + inode)));
    EXPECT_FALSE(stderr_is_journal(journal(std::to_string(info.st_dev + 1) + ":" + inode)));
    EXPECT_FALSE(stderr_is_journal(journal("")));
    EXPECT_FALSE(stderr_is_journal([](const char*) { return std::nullopt; }));
}

TEST(Log, GivesTheJournalPrioritiesAndPeopleWords) {
    const auto before = spdlog::default_logger();
    testing::internal::CaptureStderr();
    set_up_log("for-journal", true, false);
    spdlog::info("well");
    spdlog::warn("look");
    spdlog::error("bad");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "<6>well\n<4>look\n<3>bad\n");
    EXPECT_EQ(error_prefix(), "<3>");

    testing::internal::CaptureStderr();
    set_up_log("for-people", false, true);
    spdlog::info("left out");
    spdlog::warn("look");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "for-people: warning: look\n");
    EXPECT_EQ(error_prefix(), "");
    spdlog::set_default_logger(before);
}

TEST(Log, HasALineForEachThingThatIsSaidAndSteersNoTerminal) {
    const auto before = spdlog::default_logger();
    const std::string name = "a\nsla-agent: info: forged\x1b[31m\u009b";
    for (const bool for_journal : {true, false}) {
        testing::internal::CaptureStderr();
        set_up_log("x", for_journal, false);
        spdlog::warn("trigger {} \u00b5", name);
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  std::string(for_journal ? "<4>" : "x: warning: ") + "trigger a?sla-agent: info: forged?[31m?? \u00b5\n");
    }
    set_up_log("x", false, false);
    spdlog::set_default_logger(before);
}

// stderr is a pipe that nobody empties, and its other end is ours.
class FullPipe {
public:
    FullPipe() {
        if (::pipe2(ends_, O_CLOEXEC) != 0) std::abort();
        before_ = ::dup(STDERR_FILENO);
        ::dup2(ends_[1], STDERR_FILENO);
    }
    ~FullPipe() {
        ::dup2(before_, STDERR_FILENO);
        for (const int fd : {before_, ends_[0], ends_[1]}) ::close(fd);
    }
    FullPipe(const FullPipe&) = delete;
    FullPipe& operator=(const FullPipe&) = delete;
    // What is in it now.
    [[nodiscard]] std::string empty() const {
        std::string all;
        char bytes[1 << 16];
        for (pollfd readable{ends_[0], POLLIN, 0}; ::poll(&readable, 1, 0) == 1;) {
            const ssize_t got = ::read(ends_[0], bytes, sizeof bytes);
            if (got <= 0) break;
            all.append(bytes, static_cast<std::size_t>(got));
        }
        return all;
    }

private:
    int ends_[2] = {-1, -1};
    int before_ = -1;
};

TEST(Log, ThatNobodyReadsStopsNobodyAndCountsWhatIsLeftOut) {
    const auto before = spdlog::default_logger();
    std::string first;
    std::string then;
    std::string long_one;
    std::string behind_it;
    {
        const FullPipe pipe;
        set_up_log("unread", false, false);
        for (int i = 0; i < 1000; i++) spdlog::info("{:0>1000}", i);
        first = pipe.empty();
        spdlog::warn("look");
        then = pipe.empty();
        spdlog::info("{:0>100000}", 1);
        long_one = pipe.empty();
        spdlog::warn("look");
        behind_it = pipe.empty();
    }
    spdlog::set_default_logger(before);
    const auto lines = std::count(first.begin(), first.end(), '\n');
    EXPECT_GT(lines, 10);
    EXPECT_LT(lines, 1000);
    EXPECT_EQ(then, "unread: warning: " + std::to_string(1000 - lines) +
                        " lines of the log left out: nobody took what was written to stderr\nunread: warning: look\n");
    EXPECT_EQ(std::count(long_one.begin(), long_one.end(), '\n'), 0);
    EXPECT_EQ(behind_it,
              "\nunread: warning: 1 line of the log left out: nobody took what was written to stderr\n"
              "unread: warning: look\n");
}

}  // namespace
}  // namespace sla::service
