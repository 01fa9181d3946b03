#include "proto/common/tls/private_file.h"

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace sla::tls {
namespace {

class PrivateFile : public testing::Test {
protected:
    unsigned mode_of(const std::string& path) {
        struct stat info {};
        EXPECT_EQ(stat(path.c_str(), &info), 0);
        return info.st_mode & 07777U;
    }
    std::string complaint(const std::string& path, Others others = Others::kMayNotRead) {
        const Result<std::string> text = read_private(path, others);
        return text ? "read: " + *text : text.error().message;
    }
    support::TempDir directory_;
};

TEST_F(PrivateFile, IsWrittenForTheOwnerAloneInAFolderForTheOwnerAlone) {
    const std::string path = directory_.file("sla/access");
    umask(0);
    ASSERT_TRUE(write_private(path, "one\n").ok());
    EXPECT_EQ(mode_of(path), 0600U);
    EXPECT_EQ(mode_of(directory_.file("sla")), 0700U);
    ASSERT_TRUE(write_private(path, "two\n").ok());
    EXPECT_EQ(*read_private(path, Others::kMayNotRead), "two\n");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.file("sla")), {}), 1) << "a file is left over";
}

TEST_F(PrivateFile, ThatIsALinkStaysOne) {
    ASSERT_TRUE(write_private(directory_.file("elsewhere"), "one\n").ok());
    const std::string path = directory_.file("access");
    std::filesystem::create_symlink(directory_.file("elsewhere"), path);
    ASSERT_TRUE(write_private(path, "two\n").ok());
    EXPECT_TRUE(std::filesystem::is_symlink(path));
    EXPECT_EQ(*read_private(directory_.file("elsewhere"), Others::kMayNotRead), "two\n");
}

TEST_F(PrivateFile, ThatIsLockedForAChangeKeepsWhatOthersWroteMeanwhile) {
    const std::string path = directory_.file("sla/f");
    const auto add_lines = [&path] {
        for (int i = 0; i < 10; ++i) {
            const Result<PrivateFileLock> lock = PrivateFileLock::take(path, "change");
            ASSERT_TRUE(lock.ok());
            const Result<std::string> text = read_private(path, Others::kMayNotRead);
            ASSERT_TRUE(write_private(path, (text ? *text : "") + "x\n").ok());
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(add_lines);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(read_private(path, Others::kMayNotRead)->size(), 4u * 10 * 2);
    EXPECT_EQ(mode_of(path + ".lock"), 0600U);
}

TEST_F(PrivateFile, ThatOthersMayChangeIsNotBelieved) {
    const std::string path = directory_.file("f");
    ASSERT_TRUE(write_private(path, "x").ok());
    for (const mode_t mode : {0620, 0602, 0622}) {
        chmod(path.c_str(), mode);
        EXPECT_NE(complaint(path, Others::kMayRead).find("can be changed by others"), std::string::npos);
    }
}

TEST_F(PrivateFile, ThatOthersMayReadHoldsNoSecret) {
    const std::string path = directory_.file("f");
    ASSERT_TRUE(write_private(path, "x").ok());
    for (const mode_t mode : {0640, 0604}) {
        chmod(path.c_str(), mode);
        EXPECT_NE(complaint(path).find("chmod 600 " + path), std::string::npos) << complaint(path);
        EXPECT_EQ(complaint(path, Others::kMayRead), "read: x");
    }
}

TEST_F(PrivateFile, OfSomebodyElseIsNotRead) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    const std::string path = directory_.file("f");
    ASSERT_TRUE(write_private(path, "x").ok());
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    EXPECT_NE(complaint(path).find("belongs to somebody else"), std::string::npos) << complaint(path);
}

TEST_F(PrivateFile, ThatIsNoneOrTooLargeOrNotThereIsToldApart) {
    EXPECT_EQ(read_private(directory_.file("none"), Others::kMayRead).error().code, ErrorCode::kNotFound);
    EXPECT_NE(complaint(directory_.path()).find("is no file"), std::string::npos);
    ASSERT_EQ(mkfifo(directory_.file("fifo").c_str(), 0600), 0);
    EXPECT_NE(complaint(directory_.file("fifo")).find("is no file"), std::string::npos);
    const std::string path = directory_.file("large");
    ASSERT_TRUE(write_private(path, std::string(kMaxPrivateFile + 1, 'x')).ok());
    EXPECT_NE(complaint(path).find("larger than 1 MiB"), std::string::npos);
}

TEST_F(PrivateFile, ThatCannotBeWrittenSaysSo) {
    std::ofstream(directory_.file("file")) << "x";
    EXPECT_FALSE(write_private(directory_.file("file/in"), "x").ok());
}

}  // namespace
}  // namespace sla::tls
