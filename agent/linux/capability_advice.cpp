#include "agent/linux/capability_advice.h"

#include <linux/capability.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <utility>

namespace sla::linux {
namespace {

constexpr std::array<std::pair<int, const char*>, 2> kKnown = {
    {{CAP_DAC_OVERRIDE, "cap_dac_override"}, {CAP_PERFMON, "cap_perfmon"}}};

std::string own_program() {
    std::array<char, 4096> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "sla-agent";
}

// A bit for each capability that whoever runs the file gets; 0: none, or files here have no such attribute.
std::uint64_t capabilities_of_file(const std::string& path) {
    vfs_ns_cap_data has{};  // the longest of its versions
    const ssize_t length = ::getxattr(path.c_str(), "security.capability", &has, sizeof has);
    if (length < static_cast<ssize_t>(XATTR_CAPS_SZ_1)) return 0;
    const std::uint64_t low = has.data[0].permitted;
    return length < static_cast<ssize_t>(XATTR_CAPS_SZ_2) ? low : low | std::uint64_t{has.data[1].permitted} << 32;
}

}  // namespace

std::string setcap_advice(int capability) {
    const std::string program = own_program();
    const std::uint64_t has = capabilities_of_file(program);
    std::string names;
    for (const auto& [known, name] : kKnown) {
        if (known != capability && (has >> known & 1U) == 0) continue;
        names += names.empty() ? "" : ",";
        names += name;
    }
    return "setcap " + names + "+ep " + program;
}

}  // namespace sla::linux
