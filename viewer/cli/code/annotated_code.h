// Code, instruction by instruction, with how often each was where a sample was taken.
//
//   bytes  ─┐
//           ├─► disassembled from the range's begin, and anew at every sampled address, which is an instruction's begin
//   samples ┘
#pragma once

#include "proto/common/disassembly/disassembly.h"
#include "proto/common/symbols/code_image.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sla::cli {

// How often by address.
using SampledAddresses = std::map<std::uint64_t, std::uint64_t>;

struct CodeRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  // the first address that is not in it
    disassembly::Mode mode = disassembly::Mode::k64;
    std::uint64_t base = 0;  // an address less this is the one that jumps count by: of a real-mode segment sixteen times it
};

struct CodeRow {
    std::uint64_t address = 0;
    std::uint64_t samples = 0;
    std::string bytes;  // "b8004c"; "" where none are known
    std::string instruction;
};

// To the range's end, or to where no code is known; sampled addresses behind that come too, without their code.
std::vector<CodeRow> annotated(const symbol::CodeImage& code, const CodeRange& range, const SampledAddresses& samples);

}  // namespace sla::cli
