#include "viewer/export/output.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace sla::exporting {
namespace {

namespace fs = std::filesystem;

class OutputTest : public ::testing::Test {
protected:
    OutputTest() : dir_(fs::path(::testing::TempDir()) / ("output_" + std::to_string(getpid()))) {
        fs::create_directories(dir_);
    }
    ~OutputTest() override { fs::remove_all(dir_); }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir_), fs::directory_iterator()));
    }
    static std::string content(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path dir_;
};

TEST_F(OutputTest, AFileAppearsOnlyWhenItIsWhole) {
    auto output = Output::open(dir_ / "t.csv");
    ASSERT_TRUE(output.ok());
    ASSERT_TRUE(output->write("half").ok());
    EXPECT_FALSE(fs::exists(dir_ / "t.csv"));
    ASSERT_TRUE(output->finish().ok());
    EXPECT_EQ(content(dir_ / "t.csv"), "half");
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, DroppedBeforeTheEndItLeavesNothingAndKeepsTheOldFile) {
    std::ofstream(dir_ / "t.csv") << "old";
    {
        auto output = Output::open(dir_ / "t.csv");
        ASSERT_TRUE(output.ok());
        ASSERT_TRUE(output->write("new").ok());
    }
    EXPECT_EQ(content(dir_ / "t.csv"), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, SaysWhichPlaceCannotBeWritten) {
    const auto output = Output::open(dir_ / "no" / "t.csv");
    ASSERT_FALSE(output.ok());
    EXPECT_NE(output.error().message.find("t.csv"), std::string::npos);
    EXPECT_FALSE(Output::open(dir_).ok());
}

TEST_F(OutputTest, ADeviceTakesBytesButIsNotReplaced) {
    auto output = Output::open("/dev/null");
    ASSERT_TRUE(output.ok());
    ASSERT_TRUE(output->write("x").ok());
    ASSERT_TRUE(output->finish().ok());
    struct stat there {};
    ASSERT_EQ(stat("/dev/null", &there), 0);
    EXPECT_TRUE(S_ISCHR(there.st_mode));
}

TEST_F(OutputTest, AFullDiskIsAnError) {
    auto output = Output::open("/dev/full");
    ASSERT_TRUE(output.ok());
    EXPECT_FALSE(output->write("x").ok());
}

}  // namespace
}  // namespace sla::exporting
