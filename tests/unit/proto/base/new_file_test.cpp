#include "proto/base/new_file.h"

#include "proto/base/whole_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace sla {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class NewFile : public testing::Test {
protected:
    NewFile() : folder_(fs::path(testing::TempDir()) / ("new_file_" + std::to_string(getpid()))) {
        fs::create_directory(folder_);
    }
    ~NewFile() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] std::string text_of(const std::string& name) const { return read_whole_file(file(name)).value(); }
    [[nodiscard]] mode_t rights_of(const std::string& name) const {
        struct stat there {};
        return ::stat(file(name).c_str(), &there) == 0 ? there.st_mode & 07777U : 0;
    }
    [[nodiscard]] auto files() const { return std::distance(fs::directory_iterator(folder_), {}); }

    fs::path folder_;
};

TEST_F(NewFile, ReplacesAndLeavesNothingBeside) {
    ASSERT_TRUE(replace_file(file("a"), "first").ok());
    ASSERT_TRUE(replace_file(file("a"), std::string(3'000'000, 'x')).ok());
    EXPECT_EQ(text_of("a"), std::string(3'000'000, 'x'));
    EXPECT_EQ(files(), 1);
}

TEST_F(NewFile, WhatCannotBeWrittenLeavesWhatWasThere) {
    const auto nowhere = replace_file(file("no/folder"), "new", "write the settings to");
    EXPECT_THAT(nowhere.error().message,
                HasSubstr("cannot write the settings to '" + file("no/folder") + "': No such file"));
    fs::create_directory(folder_ / "taken");
    EXPECT_THAT(replace_file(file("taken"), "new").error().message,
                HasSubstr("cannot put '" + file("taken") + "' in place"));
    EXPECT_EQ(files(), 1) << "nothing beside it";
}

TEST_F(NewFile, TheRightsOfWhatIsReplacedStay) {
    const mode_t before = ::umask(022);
    for (const mode_t mode : {0600, 0640, 0664, 0444}) {
        ASSERT_TRUE(replace_file(file("a"), "first").ok());
        ASSERT_EQ(::chmod(file("a").c_str(), mode), 0);
        ASSERT_TRUE(replace_file(file("a"), "second").ok());
        EXPECT_EQ(rights_of("a"), mode);
        EXPECT_EQ(text_of("a"), "second");
    }
    ASSERT_TRUE(replace_file(file("new"), "").ok());
    EXPECT_EQ(rights_of("new"), 0644U);
    ASSERT_TRUE(replace_private_file(file("new"), "").ok());
    EXPECT_EQ(rights_of("new"), 0600U) << "what is private is so whatever was there";
    ::umask(before);
}

TEST_F(NewFile, ALinkStaysOneAndLeadsToTheNewFile) {
    fs::create_directory(folder_ / "kept");
    std::ofstream(folder_ / "kept" / "real") << "old";
    fs::create_symlink("kept/real", folder_ / "link");
    ASSERT_TRUE(replace_file(file("link"), "new").ok());
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(text_of("kept/real"), "new");
}

// In a container the next process may have the number of the one that was killed.
// As root, one that is asked to write to /dev/null took the device away from the whole machine.
TEST_F(NewFile, WhatIsNoFileIsNeverReplaced) {
    ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", file("link"));
    for (const char* name : {"pipe", "link"}) {
        const Result<void> done = replace_file(file(name), "bytes");
        ASSERT_FALSE(done.ok()) << name;
        EXPECT_THAT(done.error().message, HasSubstr("no file replaces"));
    }
    EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
    fs::create_symlink("nowhere", file("dangling"));
    const Result<void> done = replace_file(file("dangling"), "bytes");
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, HasSubstr("dangling' is a link to what is not there"));
    EXPECT_EQ(files(), 3) << "nothing is left beside";
}

TEST_F(NewFile, NamesOfTheSameProcessAreNeverTheSame) {
    TemporaryName killed(file("a"));
    ASSERT_GE(::close(killed.create(0600)), 0);
    TemporaryName next(file("a"), ".png");
    EXPECT_TRUE(next.path().ends_with(".png"));
    ASSERT_GE(::close(next.create(0600)), 0);
    EXPECT_LT(next.create(0600), 0) << "one owner";
}

TEST_F(NewFile, ANameThatWasNotGivenUpGoesWithItsOwner) {
    {
        TemporaryName name(file("dir/"));
        fs::create_directory(name.path());
        std::ofstream(name.path() + "/half") << "half";
        TemporaryName moved(std::move(name));
        EXPECT_EQ(files(), 1);
        TemporaryName other;
        EXPECT_TRUE(other.empty());
        other = std::move(moved);
    }
    EXPECT_EQ(files(), 0);
    TemporaryName name(file("dir/"));
    fs::create_directory(name.path());
    ASSERT_TRUE(name.take_its_place().ok());
    EXPECT_TRUE(fs::is_directory(folder_ / "dir"));
}

}  // namespace
}  // namespace sla
