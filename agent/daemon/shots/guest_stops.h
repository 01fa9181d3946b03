// The trigger action stop-guest: emulated PCs are asked to stand still as soon as the agent knows of the hit, through their
// control sockets (emu-PID.control in the runtime directory, as emu/control/README.md has it).
//
//   hit ──► draining thread: connects and asks, never waits ──► our thread: waits for the answer, says how late it came
#pragma once

#include "proto/wire/capture.pb.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sla::daemon {

struct EmulatedPc {
    std::uint32_t pid = 0;
    bool own_clock = false;  // its stamps, or the shot's, are no machine time: lateness cannot be computed from them
};

class GuestStops {
public:
    // A sentence for people, in our thread. `ticks_per_second` is asked there too.
    using Say = std::function<void(const std::string& text)>;

    GuestStops(Say say, std::function<double()> ticks_per_second)
        : say_(std::move(say)), ticks_per_second_(std::move(ticks_per_second)) {}
    ~GuestStops();
    GuestStops(const GuestStops&) = delete;
    GuestStops& operator=(const GuestStops&) = delete;

    // At the hit.
    void stop(const wire::Shot& shot, const std::vector<EmulatedPc>& pcs);

private:
    static constexpr std::size_t kMaxWaiting = 64;
    struct Asked {
        int socket = -1;
        EmulatedPc pc;
        std::string trigger;
        std::uint64_t tick = 0;
        std::string problem;  // it could not be asked
    };

    void run();
    [[nodiscard]] std::string outcome(const Asked& asked) const;

    const Say say_;
    const std::function<double()> ticks_per_second_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Asked> waiting_;  // under mutex_, as the next
    bool finishing_ = false;
    std::thread thread_;
};

}  // namespace sla::daemon
