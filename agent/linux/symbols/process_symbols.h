// Names for addresses of running processes, and addresses for names: /proc/PID/maps with the symbols of the files mapped
// there, and the kernel's own.
//
// One owner thread. A file is read once for all processes that run it, and one that was built anew is another file; a process
// in another mount namespace has its own files at the same paths. A process's map is read again when an address is not in it,
// a few times a second at most.
#pragma once

#include "agent/linux/symbols/elf_symbols.h"
#include "proto/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <compare>
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
    // Which file stands at a path; none: nothing does.
    struct Identity {
        std::uint64_t device = 0, inode = 0, bytes = 0;
        std::int64_t changed_s = 0, changed_ns = 0;
        auto operator<=>(const Identity&) const = default;
    };
    struct Process {
        std::vector<Mapping> mappings;
        std::map<std::uint64_t, std::string> places;  // already named
        std::string root;                             // before its paths, in another mount namespace
        std::map<std::string, Identity> files;        // by path: what it runs of it
        Clock::time_point read_at;
    };
    const Mapping* mapping_of(pid_t pid, std::uint64_t address);
    bool read_map(pid_t pid, Process& process);
    static Identity identity_of(const std::string& path);
    const ProgramFile* file_of(pid_t pid, const std::string& path);
    const ProgramFile* file_of(const Identity& identity, const std::string& path);
    std::string name(pid_t pid, std::uint64_t address);
    std::string kernel_name(std::uint64_t address);

    std::map<pid_t, Process> processes_;
    std::map<Identity, std::unique_ptr<ProgramFile>> files_;  // nullptr: cannot be read
    ProgramFile kernel_;
    bool kernel_read_ = false;
};

}  // namespace sla::linux
