#include "emu/machine/multiboot.h"

#include <gmock/gmock.h>

#include <vector>

namespace sla::machine {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kMagic = 0x1BADB002;

// A kernel put together field by field.
class Kernel {
public:
    explicit Kernel(std::size_t bytes) : file(bytes) {}
    void dword(std::size_t at, std::uint32_t value) {
        for (unsigned byte = 0; byte < 4; ++byte) file.at(at + byte) = static_cast<std::uint8_t>(value >> (8 * byte));
    }
    void header(std::size_t at, std::uint32_t flags) {
        dword(at, kMagic);
        dword(at + 4, flags);
        dword(at + 8, 0U - kMagic - flags);
    }

    std::vector<std::uint8_t> file;
};

Kernel elf(std::uint32_t address = 0x100000, std::uint32_t in_file = 16, std::uint32_t in_memory = 64) {
    Kernel kernel(256);
    kernel.dword(0, 0x464C457F);
    kernel.dword(4, 0x00000101);
    kernel.dword(16, 3U << 16 | 2);  // executable, 386
    kernel.dword(24, address + 4);   // entry
    kernel.dword(28, 52);
    kernel.dword(40, 32U << 16 | 52);
    kernel.dword(44, 1);
    kernel.dword(52, 1);  // PT_LOAD
    kernel.dword(56, 200);
    kernel.dword(64, address);
    kernel.dword(68, in_file);
    kernel.dword(72, in_memory);
    kernel.header(100, 3);
    kernel.dword(200, 0xAABBCCDD);
    return kernel;
}

class MultibootTest : public testing::Test {
protected:
    Result<LoadedKernel> load(const Kernel& kernel, std::string_view append = "") {
        return load_multiboot(memory, kernel.file, "kernel.elf", append);
    }
    std::string refusal(const Kernel& kernel) {
        auto loaded = load(kernel);
        return loaded.ok() ? "taken" : loaded.error().message;
    }
    std::uint32_t dword(std::uint32_t at) {
        const auto bytes = memory.at(at, 4);
        return bytes[0] | bytes[1] << 8U | bytes[2] << 16U | static_cast<std::uint32_t>(bytes[3]) << 24U;
    }

    bus::Memory memory{std::size_t{4} << 20};
};

TEST_F(MultibootTest, LoadsSegmentsAndClearsWhatIsBehindThem) {
    memory.at(0x100010, 1)[0] = 0x55;
    auto loaded = load(elf());
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(loaded->entry, 0x100004U);
    EXPECT_EQ(dword(0x100000), 0xAABBCCDDU);
    EXPECT_EQ(memory.at(0x100010, 1)[0], 0);
}

TEST_F(MultibootTest, PassesTheKernelItsMemoryAndItsCommandLine) {
    auto loaded = load(elf(), "verbose=1");
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(dword(loaded->information) & 0x245, 0x245U);
    EXPECT_EQ(dword(loaded->information + 4), 640U);
    EXPECT_EQ(dword(loaded->information + 8), 3U << 10);
    const auto text = memory.at(dword(loaded->information + 16), 64);
    EXPECT_STREQ(reinterpret_cast<const char*>(text.data()), "kernel.elf verbose=1");
    const std::uint32_t map = dword(loaded->information + 48);
    EXPECT_EQ(dword(map), 20U);
    EXPECT_EQ(dword(map + 24 + 4), 0x100000U);
    EXPECT_EQ(dword(map + 24 + 12), 3U << 20);
}

TEST_F(MultibootTest, LoadsByTheHeadersOwnAddresses) {
    Kernel kernel(200);
    kernel.header(32, 0x10003);
    kernel.dword(44, 0x200020);  // header
    kernel.dword(48, 0x200000);  // load
    kernel.dword(52, 0x200040);  // load end
    kernel.dword(56, 0x200080);  // bss end
    kernel.dword(60, 0x200010);  // entry
    kernel.dword(0, 0x12345678);
    auto loaded = load(kernel);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(loaded->entry, 0x200010U);
    EXPECT_EQ(dword(0x200000), 0x12345678U);
    EXPECT_EQ(dword(0x200020), kMagic);
}

TEST_F(MultibootTest, SaysWhatIsWrongWithAKernel) {
    EXPECT_THAT(refusal(Kernel(64)), HasSubstr("no Multiboot header"));
    Kernel video = elf();
    video.header(100, 7);
    EXPECT_THAT(refusal(video), HasSubstr("video mode"));
    Kernel no_elf(64);
    no_elf.header(0, 0);
    EXPECT_THAT(refusal(no_elf), HasSubstr("no 32-bit ELF"));
    EXPECT_THAT(refusal(elf(0x100000, 100, 100)), HasSubstr("cut off"));
    EXPECT_THAT(refusal(elf(0x3FFFF0)), HasSubstr("--memory"));
    EXPECT_THAT(refusal(elf(0x000500)), HasSubstr("link it at 1 MB"));
    EXPECT_THAT(refusal(elf(0x09FFF0)), HasSubstr("link it at 1 MB"));
    EXPECT_THAT(refusal(elf(0xFFFFFFF0)), HasSubstr("--memory"));
    EXPECT_THAT(refusal(elf(0x100000, 64, 16)), HasSubstr("cut off"));
}

TEST_F(MultibootTest, SurvivesEveryTruncationAndEveryFlippedByte) {
    const Kernel whole = elf();
    for (std::size_t bytes = 0; bytes < whole.file.size(); ++bytes) {
        Kernel cut(0);
        cut.file.assign(whole.file.begin(), whole.file.begin() + static_cast<std::ptrdiff_t>(bytes));
        static_cast<void>(load(cut));
    }
    for (std::size_t at = 0; at < whole.file.size(); ++at) {
        Kernel flipped = whole;
        flipped.file[at] ^= 0xFF;
        static_cast<void>(load(flipped));
    }
}

}  // namespace
}  // namespace sla::machine
