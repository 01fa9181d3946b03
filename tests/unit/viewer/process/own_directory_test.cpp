#include "viewer/process/own_directory.h"

#include "tests/support/with_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace sla::process {
namespace {

namespace fs = std::filesystem;

class OwnDirectoryTest : public support::WithDirectory {
protected:
    // Of a process that was killed, with a file in it.
    std::string left_behind(const std::string& kind) {
        const pid_t killed = fork();
        if (killed == 0) {
            auto directory = OwnDirectory::make(file(""), kind);
            std::ofstream(file("name")) << directory->path();
            std::ofstream(directory->file("copy")) << "bytes";
            raise(SIGKILL);
        }
        waitpid(killed, nullptr, 0);
        return content(file("name"));
    }
    OwnDirectory next(const std::string& kind = "kind") { return std::move(OwnDirectory::make(file(""), kind).value()); }
};

TEST_F(OwnDirectoryTest, IsForItsOwnerAloneAndGoesWithIt) {
    std::string path;
    {
        const OwnDirectory directory = next();
        path = directory.path();
        EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
        std::ofstream(directory.file("copy")) << "bytes";
        EXPECT_TRUE(fs::exists(path + "/copy"));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(OwnDirectoryTest, WhatAKilledProcessLeftIsRemovedByTheNextOfItsKind) {
    const std::string left = left_behind("kind");
    ASSERT_TRUE(fs::exists(left + "/copy"));
    const OwnDirectory other = next("other");
    EXPECT_TRUE(fs::exists(left)) << "another kind's";
    const OwnDirectory same = next();
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(OwnDirectoryTest, WhoseOwnerLivesStays) {
    const OwnDirectory first = next();
    const OwnDirectory second = next();
    EXPECT_TRUE(fs::exists(first.path()));
    EXPECT_NE(first.path(), second.path());
}

TEST_F(OwnDirectoryTest, WhereAnAgentStillRunsStaysUntilThatHasEnded) {
    const std::string left = left_behind("kind");
    const int agent = open((left + "/agent.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_EQ(flock(agent, LOCK_EX), 0);
    next();
    EXPECT_TRUE(fs::exists(left));
    close(agent);
    next();
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(OwnDirectoryTest, WhatNoOwnDirectoryIsStays) {
    fs::create_directory(file("sla-kind-ABCDEF"));
    std::ofstream(file("sla-kind-abcdef")) << "a file";
    fs::create_directory(file("real"));
    std::ofstream(file("real/owner.lock")) << "";
    fs::create_directory_symlink(file("real"), file("sla-kind-123456"));
    next();
    EXPECT_TRUE(fs::exists(file("sla-kind-ABCDEF"))) << "nobody says whose it is";
    EXPECT_TRUE(fs::exists(file("sla-kind-abcdef")));
    EXPECT_TRUE(fs::exists(file("real/owner.lock"))) << "behind a link";
}

TEST_F(OwnDirectoryTest, WhereNoneCanBeMadeIsAnErrorWithItsName) {
    const auto made = OwnDirectory::make(file("nowhere"), "kind");
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.error().message.find(file("nowhere")), std::string::npos);
}

}  // namespace
}  // namespace sla::process
