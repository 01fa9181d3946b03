// Hooks in the functions of programs that nobody rebuilt: the kernel stops at them (uprobes) and writes trace events.
//
//   /path/prog:function            a span from entry to return; its end carries the returned value
//   /path/prog:function%entry      a tick at the entry          /path/prog:function%return   a tick at the return
//   /path/prog:0x1510              a tick at this offset of the file
//   /path/prog:provider:name       a USDT probe, with its arguments
//   ... a=%di:u64 s=+0(%si):ustring      behind any of them: arguments in the kernel's words (registers, memory, strings)
//
// Probes belong to the kernel until somebody takes them away: they go with UprobeSet, or are swept by the next agent.
#pragma once

#include "agent/linux/symbols/elf_symbols.h"
#include "proto/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::linux {

enum class ProbeEdge { kTick, kBegin, kEnd };

// One line for the kernel.
struct ProbeLine {
    std::string event;    // its name within our group
    std::string command;  // "p:GROUP/e0 /path/prog:0x1510 a=%di:u64"
    std::string lane;     // "linux.function.NAME"
    ProbeEdge edge = ProbeEdge::kTick;
};

// What was typed, looked up in its file. `number` makes its events' names unique.
Result<std::vector<ProbeLine>> plan_uprobe(const std::string& typed, const std::string& group, std::size_t number);

// The arguments of a USDT note in the kernel's words: "arg1=%cx:s32 arg2=-8(%bp):u64"; what cannot be said so is left out.
std::string usdt_arguments(const std::string& note);

// What stopping at this function's first instruction costs, by how the kernel can do it.
std::string hook_cost(const std::string& path, std::uint64_t file_offset);

class UprobeSet {
public:
    static Result<std::unique_ptr<UprobeSet>> create(const std::string& tracefs, const std::vector<std::string>& typed);
    static void sweep(const std::string& tracefs);
    ~UprobeSet();
    UprobeSet(const UprobeSet&) = delete;
    UprobeSet& operator=(const UprobeSet&) = delete;

    [[nodiscard]] const std::string& group() const { return group_; }
    [[nodiscard]] const std::vector<ProbeLine>& lines() const { return lines_; }

private:
    UprobeSet(const std::string& tracefs, std::string group);
    std::string control_;
    std::string group_;
    std::vector<ProbeLine> lines_;  // made in the kernel
};

}  // namespace sla::linux
