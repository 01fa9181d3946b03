#include "emu/pmc/pentium.h"

namespace sla::pmc {

namespace {

constexpr std::uint32_t kSignature = 5U << 8 | 4U << 4 | 3U;  // family, model, stepping

constexpr std::uint32_t kFpu = 1U << 0;
constexpr std::uint32_t kDebuggingExtensions = 1U << 2;
constexpr std::uint32_t kBigPages = 1U << 3;
constexpr std::uint32_t kTsc = 1U << 4;
constexpr std::uint32_t kMsr = 1U << 5;
constexpr std::uint32_t kCompareExchange8 = 1U << 8;
constexpr std::uint32_t kMmx = 1U << 23;

}  // namespace

cpu::CpuidAnswer cpuid(std::uint32_t leaf, std::uint32_t missing) {
    if (leaf == 0) return {1, 0x756E6547, 0x6C65746E, 0x49656E69};  // GenuineIntel in EBX, EDX, ECX
    if (leaf == 1) {
        constexpr std::uint32_t kAll = kFpu | kDebuggingExtensions | kBigPages | kTsc | kMsr | kCompareExchange8 | kMmx;
        return {kSignature, 0, 0, kAll & ~missing};
    }
    return {};
}

}  // namespace sla::pmc
