// An emulated PC that runs, at its control socket (emu/control/control_server.h), which is emu-PID.control in the runtime
// directory: its counts, its state, and what else people ask of it there.
#pragma once

#include "proto/base/result.h"
#include "proto/common/guest_client.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sla::counters {

// By CESR's select; an event that is not there is not counted.
using GuestCounts = std::map<std::uint32_t, std::uint64_t>;

// One line an event: "16 exact 1234".
Result<GuestCounts> parse_guest_counts(std::string_view text);

// The emulated PCs of this user that run, those too whose process is stopped.
std::vector<pid_t> running_guests();

class GuestControl {
public:
    // Of that process. Not found: it is no emulated PC, or not yet. Unavailable: it is stopped, or answers nobody.
    static Result<GuestControl> connect(pid_t process);

    // Since power-on. `models`: the modelled ones too, from the first time this is asked for.
    Result<GuestCounts> counts(bool models);
    // A command; its answer, or what was wrong with it.
    Result<std::string> ask(std::string_view command);
    // Waiting for an answer ends when that is true, looked at every 50 ms; until then it takes as long as it takes. Without
    // this it is waited for kLongestWait.
    void wait_unless(std::function<bool()> cancelled) { cancelled_ = std::move(cancelled); }

    static constexpr std::chrono::seconds kLongestWait{10};

private:
    explicit GuestControl(common::GuestClient client) : client_(std::move(client)) {}

    common::GuestClient client_;
    std::function<bool()> cancelled_;
};

}  // namespace sla::counters
