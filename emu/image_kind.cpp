#include "emu/image_kind.h"

#include "emu/bus/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace sla::emu {

namespace {

enum class Use { kElf, kExe, kLinux, kPacked, kOtherDisk, kCd, kSnapshot };

struct Kind {
    std::size_t at;
    std::string_view mark;
    Use use;
    std::string_view what;
};

constexpr std::array kKinds{
    Kind{0, "\x7f\x45LF", Use::kElf, "an ELF file"},
    Kind{0x202, "HdrS", Use::kLinux, "a kernel that starts as Linux does"},
    Kind{0, "MZ", Use::kExe, "an .EXE program of DOS, Windows or UEFI"},
    Kind{0, "\x1f\x8b\x08", Use::kPacked, "compressed (gzip)"},
    Kind{0, "\xfd\x37zXZ", Use::kPacked, "compressed (xz)"},
    Kind{0, "\x28\xb5\x2f\xfd", Use::kPacked, "compressed (zstd)"},
    Kind{0, "BZh", Use::kPacked, "compressed (bzip2)"},
    Kind{0, "PK\x03\x04", Use::kPacked, "an archive (zip)"},
    Kind{0, "QFI\xfb", Use::kOtherDisk, "a disk image of QEMU's own format (qcow2)"},
    Kind{0, "KDMV", Use::kOtherDisk, "a disk image of VMware's format"},
    Kind{0, "<<< Oracle VM", Use::kOtherDisk, "a disk image of VirtualBox's format"},
    Kind{0x8001, "CD001", Use::kCd, "an image of a CD"},
    Kind{0, "SLASNAP\n", Use::kSnapshot, "a snapshot of a PC"},
};

constexpr std::size_t kResetBytes = 16;

const Kind* kind_of(ImageBytes bytes) {
    const auto has = [bytes](const Kind& kind) {
        return bytes.size() >= kind.at + kind.mark.size() &&
               std::equal(kind.mark.begin(), kind.mark.end(), bytes.begin() + static_cast<std::ptrdiff_t>(kind.at),
                          [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
    };
    const auto* const found = std::find_if(kKinds.begin(), kKinds.end(), has);
    return found == kKinds.end() ? nullptr : found;
}

std::string advice(Use use, const std::string& path) {
    switch (use) {
        case Use::kElf: return fmt::format("a Multiboot kernel starts with --kernel {}", path);
        case Use::kExe: return "on a disk with the system that it is for it can run (--hda, --fda)";
        case Use::kLinux:
            return "one with a boot sector of its own starts from a floppy image (`truncate -s 1440K`, --fda), others from "
                   "a "
                   "disk with a boot loader (--hda)";
        case Use::kPacked: return "unpack it first";
        case Use::kOtherDisk:
            return fmt::format("`qemu-img convert -O raw {} disk.img` makes one of it that --hda takes", path);
        case Use::kCd:
            return fmt::format("there is no CD drive; one that boots from USB sticks, too, may start with --hda {}", path);
        case Use::kSnapshot:
            return fmt::format("--load {} goes on from it, beside the options of the run that it is of", path);
    }
    return {};
}

// Of any encoding; code ends with a jump, which is no text.
bool is_text(ImageBytes bytes) {
    const auto is_control = [](std::uint8_t byte) { return byte == 0x7F || (byte < 0x20 && std::isspace(byte) == 0); };
    const ImageBytes end = bytes.last(std::min(bytes.size(), kResetBytes));
    return std::none_of(bytes.begin(), bytes.end(), is_control) &&
           std::all_of(end.begin(), end.end(), [](std::uint8_t byte) { return byte < 0x80; });
}

// Its end is random: encrypted, compressed, or no image at all. Of code bytes differ in how often they come by far more, and so
// they do where some of it stands beside something compressed (chi squared with 255 degrees of freedom; 400 is 6 sigma).
bool is_noise(ImageBytes bytes) {
    constexpr std::size_t kLeast = 1024;
    constexpr std::size_t kMost = 4096;
    constexpr double kBound = 400;
    if (bytes.size() < kLeast) return false;
    const ImageBytes end = bytes.last(std::min(bytes.size(), kMost));
    std::array<double, 256> times{};
    for (const std::uint8_t byte : end) times[byte] += 1;
    const double expected = static_cast<double>(end.size()) / static_cast<double>(times.size());
    double squares = 0;
    for (const double count : times) squares += (count - expected) * (count - expected) / expected;
    return squares < kBound;
}

bool is_com(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return std::tolower(c); });
    return extension == ".com";
}

// A disk image without code in its end.
bool has_boot_mark(ImageBytes bytes) {
    constexpr std::size_t kMark = 510;
    return bytes.size() >= kMark + 2 && bytes[kMark] == 0x55 && bytes[kMark + 1] == 0xAA;
}

// Of the 16 bytes where the processor starts a far jump takes five.
bool is_blank(ImageBytes reset) {
    return std::all_of(reset.begin(), reset.begin() + 5, [reset](std::uint8_t byte) { return byte == reset[0]; }) &&
           (reset[0] == 0 || reset[0] == 0xFF || reset[0] == 0xF6);  // 0xF6: sectors as they are formatted
}

// --bios takes what looks like no firmware, but not what is too short or too long for any.
Error no_firmware(const std::string& path, ImageBytes bytes, std::string_view what, std::string_view advice) {
    const bool would_run = bytes.size() >= kResetBytes && bytes.size() <= bus::Memory::kMaxRomBytes;
    return invalid_input(fmt::format("{} is no firmware image, it is {}: {}{}", path, what, advice,
                                     would_run ? fmt::format("; --bios {} runs it all the same", path) : ""));
}

// Of what may be a disk image; only files are taken as disks.
std::string disk_advice(const std::string& path, std::string_view options) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) ? fmt::format("if it is a disk image, say {}", options)
                                                         : "give a file";
}

}  // namespace

Result<void> check_firmware(const std::string& path, ImageBytes bytes) {
    if (const Kind* kind = kind_of(bytes)) return no_firmware(path, bytes, kind->what, advice(kind->use, path));
    if (is_com(path)) return no_firmware(path, bytes, "a .COM program", fmt::format("say --com {}", path));
    if (is_text(bytes)) return no_firmware(path, bytes, "a text file", "`sla-emu run --help` says what runs");
    if (is_noise(bytes)) {
        return no_firmware(path, bytes,
                           "random to its end, where the processor starts, as what is encrypted or compressed is",
                           disk_advice(path, "--hda " + path));
    }
    if (bytes.size() < kResetBytes) return {};
    const bool is_sector = bytes.size() == 512 && has_boot_mark(bytes);
    if (!is_sector && !is_blank(bytes.last(kResetBytes))) return {};
    const std::string disks = fmt::format("--hda {} or --fda {}", path, path);
    if (has_boot_mark(bytes)) return no_firmware(path, bytes, "a disk image that begins with a boot sector", "say " + disks);
    if (bytes[0] == 0x55 && bytes[1] == 0xAA)
        return no_firmware(path, bytes, "an option ROM", fmt::format("a video BIOS is one, say --vga-bios {}", path));
    return no_firmware(path, bytes, "blank where the processor starts, in its last 16 bytes", disk_advice(path, disks));
}

Result<void> check_kernel(const std::string& path, ImageBytes bytes) {
    const Kind* kind = kind_of(bytes);
    if (kind == nullptr || kind->use != Use::kPacked) return {};
    return invalid_input(fmt::format("the kernel {} is {}: {}", path, kind->what, advice(kind->use, path)));
}

Result<void> check_program(const std::string& path, ImageBytes bytes) {
    const Kind* kind = kind_of(bytes);
    if (kind == nullptr) return {};
    return invalid_input(fmt::format("{} is no .COM program, it is {}: {}", path, kind->what, advice(kind->use, path)));
}

}  // namespace sla::emu
