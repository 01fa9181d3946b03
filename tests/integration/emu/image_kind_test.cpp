// What a run refuses at once: what is no firmware, with the option that it is for (it runs all the same where people insist), and
// hooks that no channel can have.
#include "tests/integration/emu/guests.h"

#include <gmock/gmock.h>

namespace sla {
namespace {

using testing::HasSubstr;

class ImageKind : public Guests {
protected:
    [[nodiscard]] std::string refusal(const std::string& option, const std::string& content, std::size_t bytes = 0,
                                      const std::string& name = "image") const {
        const std::string path = directory.file(name);
        write_file(path, content, bytes == 0 ? content.size() : bytes);
        std::vector<std::string> words{SLA_BINARIES "/sla-emu", "run", "--clock", "virtual", "--for", "1ms"};
        if (!option.empty()) words.push_back(option);
        words.push_back(path);
        Process pc(words);
        const int code = pc.wait(kHang).code;
        return std::to_string(code) + ": " + pc.errors();
    }
};

constexpr const char* kElf = "\x7f\x45LF\x01\x01\x01";

TEST_F(ImageKind, IsToldFromHowAFileBeginsWithTheOptionToUse) {
    const std::string path = directory.file("image");
    const std::string sector = std::string(510, '\x90') + "\x55\xaa";
    const std::string packed = std::string("\x1f\x8b\x08\x00", 4) + std::string(500, 'x');
    EXPECT_THAT(refusal("", kElf + std::string(500, 'x')),
                HasSubstr("2: sla-emu: " + path + " is no firmware image, it is an ELF"));
    EXPECT_THAT(refusal("", kElf), HasSubstr("--kernel " + path));
    EXPECT_THAT(refusal("", packed), HasSubstr("compressed (gzip): unpack it first"));
    EXPECT_THAT(refusal("", packed, 5'000'000), HasSubstr("compressed (gzip)")) << "however long";
    EXPECT_THAT(refusal("", sector), HasSubstr("say --hda " + path + " or --fda " + path));
    EXPECT_THAT(refusal("", sector, 1'474'560), HasSubstr("say --hda " + path + " or --fda " + path));
    EXPECT_THAT(refusal("", "QFI\xfb", 4096), HasSubstr("qemu-img convert"));
    EXPECT_THAT(refusal("", "x", 4096), HasSubstr("blank where the processor starts"));
    EXPECT_THAT(refusal("", "\x55\xaa", 4096), HasSubstr("--vga-bios " + path));
    EXPECT_THAT(refusal("", "Only words, \xc3\xa4 or others.\n# the end of it\n"), HasSubstr("it is a text file"));
    EXPECT_THAT(refusal("", sector + "xyz", 0, "HELLO.COM"), HasSubstr("say --com "));
    EXPECT_THAT(refusal("--com", kElf), HasSubstr("2: sla-emu: " + path + " is no .COM program, it is an ELF file"));
    EXPECT_THAT(refusal("--kernel", packed), HasSubstr("2: sla-emu: the kernel " + path + " is compressed (gzip)"));
    EXPECT_THAT(refusal("--fda", sector), HasSubstr("truncate -s 1440K " + path));
}

// --bios refuses what is too short or too long for any firmware, --hda what is no file.
TEST_F(ImageKind, NothingIsAdvisedThatIsRefusedToo) {
    constexpr const char* kAllTheSame = "runs it all the same";
    EXPECT_THAT(refusal("", "QFI\xfb", 4096), HasSubstr(kAllTheSame));
    EXPECT_THAT(refusal("", "a few words"), testing::Not(HasSubstr(kAllTheSame)));
    EXPECT_THAT(refusal("", "x", 5'000'000), testing::Not(HasSubstr(kAllTheSame)));
    Process device({SLA_BINARIES "/sla-emu", "run", "/dev/zero"});
    EXPECT_EQ(device.wait(kHang).code, 2);
    EXPECT_THAT(device.errors(), HasSubstr("/dev/zero is no firmware image"));
    EXPECT_THAT(device.errors(), testing::Not(HasSubstr("--hda")));
}

TEST_F(ImageKind, RandomBytesAreNoFirmware) {
    std::string noise;
    std::uint32_t state = 1;
    for (int i = 0; i < 8192; ++i) {  // xorshift
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        noise += static_cast<char>(state >> 24);
    }
    EXPECT_THAT(refusal("", noise),
                HasSubstr("2: sla-emu: " + directory.file("image") + " is no firmware image, it is random"));
    EXPECT_THAT(refusal("", noise), HasSubstr("say --hda "));
    EXPECT_THAT(refusal("--bios", noise), testing::Not(HasSubstr("is no firmware")));
    const std::string code(4096, '\xf4');
    EXPECT_THAT(refusal("", noise + code), HasSubstr("nothing can wake it")) << "its end is what the processor starts with";
}

TEST_F(ImageKind, HooksThatNoChannelCanHaveAreRefusedBeforeTheRun) {
    const auto said = [&](const std::string& hooks) {
        Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "1", "--clock", "virtual", "--hook", hooks});
        const int code = pc.wait(kHang).code;
        return std::to_string(code) + ": " + pc.errors();
    };
    EXPECT_THAT(said("prot.post"), HasSubstr("2: sla-emu: --hook prot.post: no channel's name begins so"));
    EXPECT_THAT(said("prot.post"), HasSubstr("port"));
    EXPECT_THAT(said("irq,!prot"), HasSubstr("--hook prot"));
    EXPECT_THAT(said("irq,none"), HasSubstr("none by itself is no one"));
    for (const char* known : {"all", "*", "irq,port.*", "all,!port.vga", "pmc.ctr0", "none"})
        EXPECT_THAT(said(known), HasSubstr("0: "));
}

TEST_F(ImageKind, ASectionThatNoChannelHasIsSaidToBeMissing) {
    const auto said = [&](const std::string& section) {
        Process pc({SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "2", "--clock", "virtual", "--counts",
                    directory.file("counts.json"), "--section", section});
        EXPECT_EQ(pc.wait(kHang).code, 0);
        return pc.errors();
    };
    EXPECT_THAT(said("irq.0.isx"), HasSubstr("--section irq.0.isx: no span of it was seen"));
    EXPECT_THAT(said("irq.0.isr"), testing::Not(HasSubstr("no span")));
}

TEST_F(ImageKind, AllHooksAreEveryChannelAndNoneIsNoOne) {
    const auto hash = [](const std::string& hooks) {
        Process pc(
            {SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "2", "--clock", "virtual", "--hash", "--hook", hooks});
        EXPECT_EQ(pc.wait(kHang).code, 0) << pc.errors();
        const std::string said = pc.output();
        const std::size_t at = said.find("hash ");
        return at == std::string::npos ? "none in " + said : said.substr(at, said.find('\n', at) - at);
    };
    const std::string everything = hash("*");
    EXPECT_THAT(everything, testing::StartsWith("hash "));
    EXPECT_EQ(hash("all"), everything);
    EXPECT_NE(hash("all,!port"), everything);
    EXPECT_EQ(hash("all,!port"), hash("*,!port"));
    EXPECT_THAT(hash("none"), HasSubstr(" of 0 events"));
}

// A file that a run opens would have a stream's number, and get what is written there.
TEST_F(ImageKind, StandardStreamsThatAreClosedAreNoFilesOfTheRun) {
    const std::string serial = directory.file("serial");
    const std::string debug = directory.file("debug");
    Process pc({"/bin/sh", "-c",
                "exec " SLA_BINARIES "/sla-emu run --demo --ticks 2 --clock virtual --hash --debug-output " + debug +
                    " --serial " + serial + " <&- >&- 2>&-"});
    EXPECT_EQ(pc.wait(kHang).code, 0);
    EXPECT_THAT(read_file(debug), testing::StartsWith("irq0="));
    EXPECT_THAT(read_file(debug), testing::Not(HasSubstr("hash")));
    EXPECT_EQ(read_file(serial), "");
}

TEST_F(ImageKind, WhatIsFirmwareRunsAndAnythingWithBios) {
    const std::string jumps = std::string(4080, '\xf4') + "\xe9\x0d\xf0" + std::string(13, '\0');
    EXPECT_THAT(refusal("", jumps), HasSubstr("nothing can wake it"));
    EXPECT_THAT(refusal("", "\xeb\xfe", 16), HasSubstr("the time is up")) << "its reset vector is all that it has";
    EXPECT_THAT(refusal("--bios", kElf, 4096), testing::Not(HasSubstr("is no firmware")));
}

TEST_F(ImageKind, WhatIsWrittenNeverGoesIntoAFileThatIsReadOrWrittenToAlready) {
    const std::string log = directory.file("log");
    const std::string disk = directory.file("disk.img");
    write_file(disk, "a disk", kSector);
    const auto said = [](std::vector<std::string> words) {
        words.insert(words.begin(), {SLA_BINARIES "/sla-emu", "run", "--clock", "virtual", "--for", "1ms"});
        Process pc(words);
        const int code = pc.wait(kHang).code;
        return std::to_string(code) + ": " + pc.errors();
    };
    EXPECT_THAT(said({"--demo", "--serial", log, "--debug-output", log}),
                HasSubstr("2: sla-emu: --serial " + log + ": --debug-output writes there already"));
    EXPECT_THAT(said({"--demo", "--counts", log, "--serial", directory.file("") + "/./log"}),
                HasSubstr("writes there already"));
    EXPECT_THAT(said({"--fda", disk, "--debug-output", disk}), HasSubstr("that is --fda's file, which it would overwrite"));
    EXPECT_THAT(said({"--demo", "--type", "@" + disk, "--debug-output", disk}), HasSubstr("that is --type's file"));
    EXPECT_THAT(said({"--demo", "--fw", "opt/a=" + disk, "--debug-output", disk}), HasSubstr("that is --fw's file"));
    EXPECT_THAT(said({"--demo", "--symbols", disk + "@0x1000", "--counts", disk}), HasSubstr("that is --symbols's file"));
    EXPECT_EQ(read_file(disk).size(), kSector);
    EXPECT_THAT(said({"--demo", "--serial", "/dev/null", "--debug-output", "/dev/null"}), testing::StartsWith("0: "));
}

}  // namespace
}  // namespace sla
