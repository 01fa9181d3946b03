// Runs of sla-emu as a program, for tests: what they need of files, and of Debian's packages where they put data.
#pragma once

#include "tests/support/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sla {

using support::Process;

inline constexpr std::size_t kSector = 512;
inline constexpr std::size_t kFloppy = 1440 * 1024;

// Limits that only end a hang, below the 400 s of a test: how long a run takes by the host's clock is the host's to say.
inline constexpr const char* kNever = "350s";
inline constexpr std::chrono::seconds kHang{380};

// For `sla-emu control`: the demonstration guest's own count of its timer's interrupts.
inline constexpr const char* kCounted = "x 0:600 4";

inline std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::string& path, std::string bytes, std::size_t size) {
    bytes.resize(size);
    std::ofstream(path, std::ios::binary) << bytes;
}

// In the places where Debian's packages put data.
inline std::string installed(const std::string& name) {
    for (const char* folder : {"/usr/share/seabios/", "/usr/lib/grub/i386-pc/", "/boot/"}) {
        if (std::filesystem::exists(folder + name)) return folder + name;
    }
    return {};
}

class Guests : public testing::Test {
protected:
    // Runs the PC; the screen's text at the end.
    std::string run(std::vector<std::string> arguments, int wanted_code = 0) {
        const std::string screen = directory.file("screen.txt");
        std::vector<std::string> command{SLA_BINARIES "/sla-emu",    "run", "--screen", screen, "--debug-output",
                                         directory.file("debug.txt")};
        command.insert(command.end(), arguments.begin(), arguments.end());
        Process pc(command);
        EXPECT_EQ(pc.wait(kHang).code, wanted_code) << pc.errors();
        return read_file(screen);
    }
    std::string debug_text() { return read_file(directory.file("debug.txt")); }

    support::TempDir directory;
};

class Software : public Guests {
protected:
    void SetUp() override {
        if (installed("bios.bin").empty()) GTEST_SKIP() << "Debian's package seabios is not installed";
    }

    // A disk that starts GRUB with a menu of one entry, the same bytes every time. Needs Debian's grub-pc-bin.
    std::string grub_image() {
        std::ofstream(directory.file("grub.cfg")) << "set timeout=-1\nmenuentry \"The only entry\" { true }\n";
        std::ofstream(directory.file("early.cfg")) << "normal (memdisk)/grub.cfg\n";
        const std::string make =
            "cd '" + directory.file("") + "' && tar --mtime=@0 --owner=0 --group=0 --mode=644 -cf m.tar grub.cfg && " +
            "grub-mkimage -O i386-pc -p '(memdisk)' -m m.tar -c early.cfg -o core.img biosdisk memdisk tar "
            "normal echo true";
        EXPECT_EQ(std::system(make.c_str()), 0) << make;
        const std::string image = directory.file("grub.img");
        write_file(image, read_file(installed("boot.img")) + read_file(directory.file("core.img")), std::size_t{4} << 20);
        return image;
    }
};

}  // namespace sla
