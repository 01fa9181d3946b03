#include "emu/machine/image_file.h"
#include "emu/machine/pseudo_terminal.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sla::machine {
namespace {

using device::kSectorBytes;
using testing::HasSubstr;

class ImageTest : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "sla-image-XXXXXX").string();
        const int descriptor = ::mkstemp(pattern.data());
        ASSERT_GE(descriptor, 0);
        ::close(descriptor);
        path = pattern;
    }
    void TearDown() override { std::filesystem::remove(path); }
    void fill(std::size_t bytes) { std::ofstream(path, std::ios::binary) << std::string(bytes, 'x'); }
    std::string refusal() {
        auto image = ImageFile::open(path, ImageFile::Writes::kForgotten);
        return image.ok() ? "taken" : image.error().message;
    }
    char byte_in_file(std::size_t offset) {
        std::ifstream file(path, std::ios::binary);
        file.seekg(static_cast<std::streamoff>(offset));
        return static_cast<char>(file.get());
    }

    std::string path;
    std::array<std::uint8_t, kSectorBytes> sector{};
};

TEST_F(ImageTest, ForgetsWritesUnlessTheyAreWanted) {
    fill(4 * kSectorBytes);
    sector.fill('n');
    {
        auto image = ImageFile::open(path, ImageFile::Writes::kForgotten);
        ASSERT_TRUE(image.ok());
        EXPECT_EQ((*image)->sectors(), 4U);
        EXPECT_TRUE((*image)->write(2, sector));
        sector.fill(0);
        EXPECT_TRUE((*image)->read(2, sector));
        EXPECT_EQ(sector[0], 'n') << "the guest sees what it wrote";
    }
    EXPECT_EQ(byte_in_file(2 * kSectorBytes), 'x');
}

TEST_F(ImageTest, WritesIntoTheFileWhenTold) {
    fill(4 * kSectorBytes);
    sector.fill('n');
    auto image = ImageFile::open(path, ImageFile::Writes::kToFile);
    ASSERT_TRUE(image.ok());
    EXPECT_TRUE((*image)->write(2, sector));
    EXPECT_EQ(byte_in_file(2 * kSectorBytes), 'n');
    EXPECT_EQ(byte_in_file(3 * kSectorBytes), 'x');
}

TEST_F(ImageTest, RefusesWhatIsNoDiskAndSaysWhy) {
    fill(1000);
    EXPECT_THAT(refusal(), HasSubstr("has 1000 bytes; a disk consists of whole sectors"));
    fill(0);
    EXPECT_THAT(refusal(), HasSubstr("has 0 bytes"));
    std::filesystem::remove(path);
    EXPECT_THAT(refusal(), HasSubstr("No such file"));
    std::filesystem::create_directory(path);
    EXPECT_THAT(refusal(), HasSubstr("not a file"));
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_THAT(refusal(), HasSubstr("not a file")) << "at once: nobody writes there";
}

TEST_F(ImageTest, FailsToReadAFileThatWasCutOffMeanwhile) {
    fill(4 * kSectorBytes);
    auto image = ImageFile::open(path, ImageFile::Writes::kForgotten);
    ASSERT_TRUE(image.ok());
    std::filesystem::resize_file(path, kSectorBytes);
    EXPECT_TRUE((*image)->read(0, sector));
    EXPECT_FALSE((*image)->read(3, sector));
}

TEST(PseudoTerminalTest, CarriesBytesBothWays) {
    auto terminal = PseudoTerminal::open();
    ASSERT_TRUE(terminal.ok()) << terminal.error().message;
    const int other = ::open((*terminal)->path().c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(other, 0);
    (*terminal)->send('o');
    char byte = 0;
    EXPECT_EQ(::read(other, &byte, 1), 1);
    EXPECT_EQ(byte, 'o');
    EXPECT_FALSE((*terminal)->receive());
    EXPECT_EQ(::write(other, "i", 1), 1);
    EXPECT_EQ((*terminal)->receive(), 'i');
    ::close(other);
}

TEST(PseudoTerminalTest, CountsWhatFindsNoReader) {
    auto terminal = PseudoTerminal::open();
    ASSERT_TRUE(terminal.ok());
    for (int i = 0; i < 1 << 20 && (*terminal)->dropped() == 0; ++i) (*terminal)->send('x');
    EXPECT_GT((*terminal)->dropped(), 0U);
}

}  // namespace
}  // namespace sla::machine
