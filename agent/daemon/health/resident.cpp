#include "agent/daemon/health/resident.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace sla::daemon {

// "VmRSS:      1234 kB" and "RssShmem: ...", "RssFile: ...", which are there since Linux 4.5.
Resident resident() {
    std::ifstream file("/proc/self/status");
    Resident resident;
    for (std::string line; std::getline(file, line);) {
        const auto bytes = [&](const char* name) -> std::uint64_t {
            return line.starts_with(name) ? std::strtoull(line.c_str() + std::strlen(name), nullptr, 10) * 1024 : 0;
        };
        resident.bytes += bytes("VmRSS:");
        resident.ring_bytes += bytes("RssShmem:");
        resident.file_bytes += bytes("RssFile:");
    }
    return resident;
}

}  // namespace sla::daemon
