// What people call the CPUs.
#pragma once

#include <array>
#include <string_view>

namespace sla::cpu {

inline constexpr std::string_view kUnicorn = "unicorn";
inline constexpr std::string_view kX86emu = "x86emu";
inline constexpr std::string_view kKvm = "kvm";
inline constexpr std::array kCpuNames{kUnicorn, kX86emu, kKvm};

}  // namespace sla::cpu
