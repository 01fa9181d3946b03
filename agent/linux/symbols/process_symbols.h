// Names for addresses of running processes, and addresses for names: /proc/PID/maps with the symbols of the files mapped
// there, and the kernel's own.
//
// One owner thread. Files are read once, and again when they were built anew; a process's map again when an address is not in
// it, a few times a second at most.
#pragma once

#include "agent/linux/symbols/elf_symbols.h"
#include "proto/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sla::linux {

struct Mapping {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  // of `begin` in the file
    std::string path;          // as the kernel gives it: "[vdso]", "/path (deleted)"; may be empty
};
// The text of a /proc/PID/maps file; lines that make no sense are left out.
std::vector<Mapping> parse_mappings(std::string_view text);

// The text of /proc/kallsyms as functions; without permission all addresses are 0 and there are none.
std::vector<Function> parse_kernel_symbols(std::string_view text);

struct FoundSymbol {
    std::uint64_t address = 0;  // in the process
    std::uint64_t size = 0;     // 0: not known
};

class ProcessSymbols {
public:
    // "program:function", "kernel:function", "program" where the file does not say; "?" for what is mapped nowhere.
    const std::string& place_of(pid_t pid, std::uint64_t address);
    // Before anything is to be named in a hurry: some 100,000 names, which else are read when the first one is asked for.
    void read_kernel();
    // The process's program has changed.
    void forget(pid_t pid) { processes_.erase(pid); }
    // A function or variable of the process's program, by name or as 0xADDRESS.
    Result<FoundSymbol> find(pid_t pid, const std::string& symbol);

private:
    using Clock = std::chrono::steady_clock;
    struct Process {
        std::vector<Mapping> mappings;
        std::map<std::uint64_t, std::string> places;  // already named
        Clock::time_point read_at;
    };
    const Mapping* mapping_of(pid_t pid, std::uint64_t address);
    bool is_built_anew(const std::string& path);
    const ProgramFile* file_of(const std::string& path);
    std::string name(pid_t pid, std::uint64_t address);
    std::string kernel_name(std::uint64_t address);

    // Which file stood at a path.
    struct Identity {
        std::uint64_t device = 0, inode = 0, bytes = 0;
        std::int64_t changed_s = 0, changed_ns = 0;
        bool operator==(const Identity&) const = default;
    };
    static Identity identity_of(const std::string& path);
    struct KnownFile {
        std::unique_ptr<ProgramFile> symbols;  // nullptr: cannot be read
        Identity identity;
    };

    std::map<pid_t, Process> processes_;
    std::map<std::string, KnownFile> files_;
    ProgramFile kernel_;
    bool kernel_read_ = false;
};

}  // namespace sla::linux
