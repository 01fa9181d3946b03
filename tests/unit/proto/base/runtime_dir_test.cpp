#include "proto/base/runtime_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace {

// Sets or clears an environment variable for one test.
class Environment {
public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* old = getenv(name)) old_ = old;
        set(value);
    }
    ~Environment() { set(old_ ? old_->c_str() : nullptr); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    void set(const char* value) { value != nullptr ? setenv(name_, value, 1) : unsetenv(name_); }

    const char* name_;
    std::optional<std::string> old_;
};

std::string runtime_path(const char* leaf) {
    char path[256];
    const int length = sla_runtime_path(path, sizeof path, leaf);
    return length < 0 ? std::string("(too long)") : std::string(path, static_cast<std::size_t>(length));
}

TEST(RuntimeDir, IsWhatTheEnvironmentSaysFirst) {
    const Environment own("SLA_RUNTIME_DIR", "/run/mine");
    const Environment session("XDG_RUNTIME_DIR", "/run/session");
    EXPECT_EQ(runtime_path(nullptr), "/run/mine");
    EXPECT_EQ(runtime_path(SLA_AGENT_SOCKET), "/run/mine/agent.sock");
}

TEST(RuntimeDir, IsBesideTheSessionsOwnFilesElse) {
    const Environment own("SLA_RUNTIME_DIR", "");
    const Environment session("XDG_RUNTIME_DIR", "/run/session");
    EXPECT_EQ(runtime_path(SLA_PROGRAMS_SOCKET), "/run/session/sla/programs.sock");
}

TEST(RuntimeDir, IsNamedAfterTheUserWhenThereIsNoSession) {
    const Environment own("SLA_RUNTIME_DIR", nullptr);
    const Environment session("XDG_RUNTIME_DIR", nullptr);
    EXPECT_EQ(runtime_path(nullptr), "/tmp/sla-" + std::to_string(geteuid()));
}

TEST(RuntimeDir, ThatDoesNotFitIsRefusedAndNotShortened) {
    const std::string deep(400, 'd');
    const Environment own("SLA_RUNTIME_DIR", deep.c_str());
    EXPECT_EQ(runtime_path(SLA_AGENT_SOCKET), "(too long)");
}

TEST(RuntimeDir, IsTrustedOnlyWhenItIsThisUsersAndClosedToOthers) {
    std::string dir = ::testing::TempDir() + "sla-runtime-XXXXXX";
    ASSERT_NE(mkdtemp(dir.data()), nullptr);
    EXPECT_EQ(sla_runtime_dir_trusted(dir.c_str()), 0);
    chmod(dir.c_str(), 0755);
    EXPECT_EQ(sla_runtime_dir_trusted(dir.c_str()), EPERM);
    const std::string link = dir + "-link";
    ASSERT_EQ(symlink(dir.c_str(), link.c_str()), 0);
    EXPECT_EQ(sla_runtime_dir_trusted(link.c_str()), ENOTDIR);
    std::filesystem::remove(link);
    std::filesystem::remove(dir);
    EXPECT_EQ(sla_runtime_dir_trusted(dir.c_str()), ENOENT);
}

}  // namespace
