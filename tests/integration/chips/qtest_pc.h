// The PC of QEMU, chips only, by its qtest protocol: port accesses in, what was read out. Its processor never runs. Debian's QEMU has
// no accelerator "qtest", which alone could move its clock: so no time passes in it.
#pragma once

#include "proto/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sla::chips {

struct Access {
    bool write = false;
    std::uint16_t port = 0;
    std::uint8_t value = 0;        // written
    std::uint8_t compared = 0xFF;  // bits of what is read
};

class QtestPc {
public:
    // `disk`: the path of the only hard disk.
    explicit QtestPc(const std::string& disk);
    ~QtestPc();
    QtestPc(const QtestPc&) = delete;
    QtestPc& operator=(const QtestPc&) = delete;

    // What each of them read, writes 0. Nothing: QEMU is gone.
    std::optional<std::vector<std::uint8_t>> run(std::span<const Access> accesses);

    [[nodiscard]] static bool installed();

private:
    int pid_ = -1;
    int socket_ = -1;
    std::string pending_;
};

}  // namespace sla::chips
