#include "tests/unit/agent/publish/spooled.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace sla::publish {
namespace {

using SpoolFolder = Spooled;

TEST_F(SpoolFolder, IsOneAgentsAlone) {
    open_spool();
    const Result<std::unique_ptr<Spool>> second = Spool::open(folder(), kLimit);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find(std::to_string(getpid())), std::string::npos) << second.error().message;
    spool_.reset();
    EXPECT_TRUE(Spool::open(folder(), kLimit));
}

TEST_F(SpoolFolder, MayBeNamedFromWhereTheAgentIsStarted) {
    std::filesystem::create_directories(folder());
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder());
    for (const char* name : {"near", "near/", "./far/away"}) {
        const Result<std::unique_ptr<Spool>> spool = Spool::open(name, kLimit);
        ASSERT_TRUE(spool) << spool.error().message;
        EXPECT_TRUE(std::filesystem::path((*spool)->folder()).is_absolute());
        struct stat made {};
        ASSERT_EQ(::stat((*spool)->folder().c_str(), &made), 0);
        EXPECT_EQ(made.st_mode & 0777, 0700u) << name;
    }
    std::filesystem::current_path(before);
}

TEST_F(SpoolFolder, WhatIsNoFolderIsSaidToBeNone) {
    std::filesystem::create_directories(folder());
    std::ofstream(folder() + "/file") << "x";
    const Result<std::unique_ptr<Spool>> spool = Spool::open(folder() + "/file", kLimit);
    ASSERT_FALSE(spool);
    EXPECT_NE(spool.error().message.find("Not a directory; name another with --spool-dir"), std::string::npos)
        << spool.error().message;
}

TEST_F(SpoolFolder, RemembersWhatEarlierAgentsLeft) {
    open_spool();
    publish::Run run;
    run.capture = "20261124T164501-9f3a";
    run.host = "web-1";
    run.boot = "5c1f0a";
    run.started_ns = 7;
    run.pieces_done = 2;
    run.events_done = 30;
    ASSERT_TRUE(spool_->begin(run));
    std::ofstream(spool_->path_of(run.capture, 12)) << std::string(1000, 'x');
    std::ofstream(spool_->path_of(run.capture, 3)) << std::string(500, 'x');
    std::ofstream(folder() + "/" + run.capture + "/notes.txt") << "not ours";
    spool_.reset();
    open_spool();
    EXPECT_EQ(spool_->bytes(), 1500u);
    std::vector<std::string> odd;
    const std::vector<publish::Run> left = spool_->left(odd);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left.front().json(), run.json());
    EXPECT_TRUE(odd.empty());
    EXPECT_EQ(spool_->pieces_of(run.capture), (std::vector<std::uint64_t>{3, 12}));
    spool_->remove(run.capture, 3);
    EXPECT_EQ(spool_->bytes(), 1000u);
    std::filesystem::remove(spool_->path_of(run.capture, 12));
    spool_->look_for_removed();
    EXPECT_EQ(spool_->bytes(), 0u) << "somebody made room";
    spool_->remove(run.capture, 12);
    EXPECT_EQ(spool_->bytes(), 0u);
}

// The end of a piece is in its file, and published, while its writer waits for the disk.
TEST_F(SpoolFolder, APieceThatIsPublishedBeforeItsLastBytesAreCountedTakesNoSpaceAnyMore) {
    open_spool();
    begin("c");
    std::ofstream(spool_->path_of("c", 1)) << std::string(1000, 'x');
    spool_->hold("c", 1, {});
    spool_->note("c", 1, {10, 900});
    EXPECT_EQ(spool_->bytes(), 900u);
    spool_->remove("c", 1);
    spool_->note("c", 1, {10, 1000});
    EXPECT_EQ(spool_->bytes(), 0u);
    EXPECT_EQ(spool_->noted("c", 1).events, 0u);
}

TEST_F(SpoolFolder, NamesFoldersThatMakeNoSenseAndLeavesThemAlone) {
    open_spool();
    std::filesystem::create_directories(folder() + "/elsewhere");
    std::filesystem::create_directories(folder() + "/copied");
    publish::Run other;
    other.capture = "other";
    other.host = "h";
    other.boot = "b";
    std::ofstream(folder() + "/copied/run.json") << other.json();
    std::vector<std::string> odd;
    EXPECT_TRUE(spool_->left(odd).empty());
    EXPECT_EQ(odd.size(), 2u);
    EXPECT_TRUE(std::filesystem::exists(folder() + "/copied/run.json"));
}

TEST_F(SpoolFolder, ForgetsACaptureThatWasBegunAndNothingElse) {
    open_spool();
    const std::string begun = folder() + "/20261127T083000-9f3a";
    std::filesystem::create_directories(begun);
    std::ofstream(begun + "/run.json.new") << "{";
    std::vector<std::string> odd;
    EXPECT_TRUE(spool_->left(odd).empty());
    EXPECT_TRUE(odd.empty());
    EXPECT_FALSE(std::filesystem::exists(begun));
    std::filesystem::create_directories(begun);
    std::ofstream(begun + "/1.sla") << "rows";
    EXPECT_TRUE(spool_->left(odd).empty());
    EXPECT_EQ(odd.size(), 1u);
    EXPECT_TRUE(std::filesystem::exists(begun + "/1.sla"));
}

// Nothing could go from a full disk otherwise.
TEST_F(SpoolFolder, WhatIsDoneIsWrittenDownInSpaceThatItHas) {
    open_spool();
    publish::Run run;
    run.capture = "c";
    run.host = "h";
    run.boot = "b";
    ASSERT_TRUE(spool_->begin(run));
    const auto inodes = [&] {
        std::set<ino_t> all;
        for (const auto& file : std::filesystem::directory_iterator(folder() + "/c")) {
            struct stat found {};
            EXPECT_EQ(::stat(file.path().c_str(), &found), 0);
            all.insert(found.st_ino);
        }
        return all;
    };
    const std::set<ino_t> begun = inodes();
    EXPECT_EQ(begun.size(), 2u);
    run.host = std::string(64, 'h');
    for (run.pieces_done = 1; run.pieces_done <= 3; ++run.pieces_done) {
        run.events_done += std::uint64_t{1} << 60;
        ASSERT_TRUE(spool_->write_down(run));
        EXPECT_EQ(inodes(), begun);
        std::vector<std::string> odd;
        const std::vector<publish::Run> left = spool_->left(odd);
        ASSERT_EQ(left.size(), 1u);
        EXPECT_EQ(left.front().json(), run.json());
    }
    spool_->remove("c");
    EXPECT_FALSE(std::filesystem::exists(folder() + "/c"));
}

TEST_F(SpoolFolder, ThatIsMadeAgainSaysOfItsRunWhatWasWrittenDownLast) {
    open_spool();
    begin("c");
    std::vector<std::string> odd;
    publish::Run run = spool_->left(odd).front();
    run.pieces_done = 3;
    run.events_done = 30;
    ASSERT_TRUE(spool_->write_down(run));
    std::filesystem::remove_all(folder());
    run.lost_done = 10;
    ASSERT_TRUE(spool_->write_down(run)) << "nobody finds it now";
    ASSERT_TRUE(spool_->make_ready());
    ASSERT_EQ(spool_->left(odd).size(), 1u);
    EXPECT_EQ(spool_->left(odd).front().json(), run.json());
}

TEST_F(SpoolFolder, ThatCannotBeIsRefusedWithWhatToDo) {
    std::ofstream(directory_.file("file")) << "in the way";
    const Result<std::unique_ptr<Spool>> spool = Spool::open(directory_.file("file") + "/spool", kLimit);
    ASSERT_FALSE(spool);
    EXPECT_NE(spool.error().message.find("--spool-dir"), std::string::npos) << spool.error().message;
    EXPECT_FALSE(Spool::open("", kLimit));
}

}  // namespace
}  // namespace sla::publish
