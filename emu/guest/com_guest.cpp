#include "emu/guest/com_guest.h"

#include "emu/guest/images.h"
#include "proto/base/check.h"

#include <algorithm>

namespace sla::guest {

namespace {

constexpr std::size_t kTailAt = 0x80;  // of the prefix: its length, the text, a carriage return
constexpr std::size_t kProgramAt = 0x100;

}  // namespace

std::vector<std::uint8_t> com_guest() {
    return {kComImage.begin(), kComImage.end()};
}

std::vector<std::uint8_t> com_memory(const std::vector<std::uint8_t>& program, std::string_view tail) {
    SLA_CHECK(program.size() <= kMaxComBytes && tail.size() <= kMaxComTail);
    std::vector<std::uint8_t> memory(kProgramAt + program.size());
    memory[kTailAt] = static_cast<std::uint8_t>(tail.size());
    std::copy(tail.begin(), tail.end(), memory.begin() + kTailAt + 1);
    memory[kTailAt + 1 + tail.size()] = '\r';
    std::copy(program.begin(), program.end(), memory.begin() + kProgramAt);
    return memory;
}

}  // namespace sla::guest
