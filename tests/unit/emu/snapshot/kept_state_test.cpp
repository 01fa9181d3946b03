#include "emu/snapshot/kept_state.h"

#include "emu/machine/image_file.h"
#include "tests/support/with_directory.h"

namespace sla::snapshot {
namespace {

constexpr std::uint64_t kSectors = 4096;
constexpr std::size_t kSmall = 32 << 10;

class KeptStates : public support::WithDirectory {
protected:
    void SetUp() override {
        std::ofstream(file("disk"), std::ios::binary) << std::string(kSectors * device::kSectorBytes, '.');
        auto opened = machine::ImageFile::open(file("disk"), machine::ImageFile::Writes::kForgotten);
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        image = std::move(*opened);
        subject.add([this](bus::StateVisitor& state) {
            state.section("hda");
            image->visit_state(state);
        });
    }
    void write(std::uint64_t number, char byte) {
        std::array<std::uint8_t, device::kSectorBytes> sector{};
        sector.fill(static_cast<std::uint8_t>(byte));
        ASSERT_TRUE(image->write(number, sector));
    }
    char read(std::uint64_t number) {
        std::array<std::uint8_t, device::kSectorBytes> sector{};
        EXPECT_TRUE(image->read(number, sector));
        return static_cast<char>(sector[100]);
    }

    std::unique_ptr<machine::ImageFile> image;
    Subject subject;
};

TEST_F(KeptStates, ShareWhatWasWrittenToADiskAndPutItBack) {
    for (std::uint64_t number = 0; number < kSectors - 1; ++number) write(number, 'a');
    const KeptState first(subject, nullptr);
    write(5, 'b');
    write(kSectors - 1, 'b');
    const KeptState second(subject, &first);
    write(6, 'c');
    EXPECT_LT(first.bytes() + second.bytes(), kSmall);
    EXPECT_GT(second.bytes_of_others(), 0U);
    EXPECT_LT(second.bytes_of_others(), kSmall);
    ASSERT_TRUE(first.load(subject).ok());
    EXPECT_EQ(read(5), 'a');
    EXPECT_EQ(read(6), 'a');
    EXPECT_EQ(read(kSectors - 1), '.') << "the file's";
    write(5, 'd');
    ASSERT_TRUE(second.load(subject).ok());
    EXPECT_EQ(read(4), 'a');
    EXPECT_EQ(read(5), 'b');
    EXPECT_EQ(read(6), 'a');
    EXPECT_EQ(read(kSectors - 1), 'b');
    ASSERT_TRUE(first.load(subject).ok());
    EXPECT_EQ(read(5), 'a') << "what was written behind a load is not of that state";
}

// States are dropped for what all of them keep, not for what the disk has anyway.
TEST_F(KeptStates, CountWhatOnlyTheyHave) {
    for (std::uint64_t number = 0; number < kSectors; ++number) write(number, 'a');
    auto first = std::make_unique<KeptState>(subject, nullptr);
    EXPECT_EQ(first->bytes_of_others(), 0U);
    for (std::uint64_t number = 0; number < kSectors; ++number) write(number, 'b');
    const KeptState second(subject, first.get());
    EXPECT_GE(second.bytes_of_others(), kSectors * device::kSectorBytes);
    first.reset();
    EXPECT_EQ(second.bytes_of_others(), 0U);
}

// Of what a load cannot go on from it goes back to where it stood, however much that is.
TEST_F(KeptStates, AFileIsLoadedOverMoreThanAFileTakes) {
    constexpr std::uint64_t kMany = kMaxFieldBytes / device::kSectorBytes + 1;
    std::filesystem::resize_file(file("disk"), kMany * device::kSectorBytes);
    auto opened = machine::ImageFile::open(file("disk"), machine::ImageFile::Writes::kForgotten);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    image = std::move(*opened);
    write(5, 'a');
    ASSERT_TRUE(subject.save(file("state")).ok());
    for (std::uint64_t number = 0; number < kMany; ++number) write(number, 'b');
    const auto saved = subject.save(file("more"));
    ASSERT_FALSE(saved.ok());
    EXPECT_EQ(saved.error().message, "the guest wrote more to its disks than a snapshot takes");
    const auto loaded = subject.load(file("state"));
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(read(5), 'a');
    EXPECT_EQ(read(6), '.');
}

}  // namespace
}  // namespace sla::snapshot
