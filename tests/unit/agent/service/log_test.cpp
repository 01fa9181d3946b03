#include "agent/service/log.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <sys/stat.h>
#include <unistd.h>

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

}  // namespace
}  // namespace sla::service
