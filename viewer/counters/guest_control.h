// The counts of an emulated PC that runs: the command `counts` of its control socket (emu/control/control_server.h), which is
// emu-PID.control in the runtime directory.
#pragma once

#include "proto/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace sla::counters {

// By CESR's select; an event that is not there is not counted.
using GuestCounts = std::map<std::uint32_t, std::uint64_t>;

// One line an event: "16 exact 1234".
Result<GuestCounts> parse_guest_counts(std::string_view text);

class GuestControl {
public:
    // Of that process. Not found: it is no emulated PC, or not yet.
    static Result<GuestControl> connect(pid_t process);
    GuestControl(GuestControl&& other) noexcept;
    GuestControl& operator=(GuestControl&&) = delete;
    ~GuestControl();

    // Since power-on. `models`: the modelled ones too, from the first time this is asked for.
    Result<GuestCounts> counts(bool models);

private:
    explicit GuestControl(int socket) : socket_(socket) {}
    Result<std::string> receive(std::size_t bytes);

    int socket_;
};

}  // namespace sla::counters
