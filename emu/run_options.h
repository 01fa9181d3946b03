// What people ask of `sla-emu run`.
#pragma once

#include "emu/cpu/cpu_names.h"
#include "proto/base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sla::emu {

struct RunOptions {
    // What runs: one of these, or the media below under the firmware that is found.
    std::string image;             // firmware file
    std::string bios;              // the same, whatever it looks like
    bool demo = false;             // the built-in demonstration guest
    std::uint32_t demo_ticks = 0;  // 0: for ever

    std::string kernel;  // Multiboot file
    std::string com;     // .COM program
    std::string append;  // the kernel's or the program's command line

    std::string video_bios;               // file; empty: the one beside the firmware, if any
    std::array<std::string, 2> floppies;  // images; empty: none
    std::array<std::string, 2> disks;
    bool keep_writes = false;        // guests write into the image files
    std::vector<std::string> items;  // NAME=FILE or NAME=u32:NUMBER, for fw_cfg

    bool test_device = false;  // QEMU's pc-testdev

    std::uint32_t memory_megabytes = 16;
    std::string cpu{cpu::kUnicorn};
    std::string clock = "host";  // or "virtual"
    std::uint64_t jitter = 0;    // seed of what varies; 0: nothing does
    std::string time_limit;      // a duration; empty: none

    std::string debug_output = "-";                                 // file; "-": standard output
    std::string serial = "-";                                       // likewise, or "pty" or "none"
    std::string typed;                                              // text, or @FILE
    std::vector<std::string> pictures;                              // .txt or .png of the screen at the end
    std::string hook = "!vmm.exit.port,!vmm.exit.mmio,!vmm.timer";  // channel patterns
    std::string gdb;                                                // where a debugger may connect; empty: nowhere
    std::vector<std::string> symbols;                               // files, FILE or FILE@BASE
    std::string stop_at;                                            // a trigger; empty: none
    bool wait = false;                                              // for it, before the guest runs
    bool no_reboot = false;                                         // a guest that resets the PC ends the run
    std::uint32_t history_megabytes = 0;                            // for going back; 0: no history
    std::string load;                                               // a snapshot to go on from; empty: power-on
    bool hash = false;                                              // say a hash of all events at the end
    std::string sample;                                             // EVENT:N or EVENT:RATE/s, event in hexadecimal
    std::string counts;                                             // file for what was counted; empty: nothing is
    std::vector<std::string> sections;                              // channels whose spans are counted apart
    std::vector<std::string> ranges;                                // code ranges, CS:IP..CS:IP
    std::string privilege = "both";                                 // or "user", "kernel"
    double speed = 0;                                               // virtual time against real time; 0: as fast as it goes

    [[nodiscard]] bool has_guest() const {
        return !image.empty() || !bios.empty() || !kernel.empty() || !com.empty() || !floppies[0].empty() ||
               !disks[0].empty() || !disks[1].empty();
    }
};

// Nothing that is written goes into a file that is read, or that something else is written to.
Result<void> check_outputs(const RunOptions& options);

}  // namespace sla::emu
