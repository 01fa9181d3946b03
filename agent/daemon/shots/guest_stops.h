// The trigger action stop-guest: emulated PCs are asked to stand still as soon as the agent knows of the hit, through their
// control sockets (emu-PID.control in the runtime directory, as emu/control/README.md has it).
//
//   hit ──► draining thread: connects and asks, never waits ──► our thread: waits for the answer, says how late it came
#pragma once

#include "proto/base/result.h"
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
    bool own_clock = false;      // its stamps, or the shot's, are no machine time: lateness cannot be computed from them
    std::string elsewhere = {};  // its name, where it lives in another pid namespace: nothing here is known by its pid
};

class GuestStops {
public:
    // A sentence for people: in our thread, or in that of stop(), and it must not call back. `ticks_per_second` is asked in our
    // thread.
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
        std::string problem;  // where there is no socket: why, a sentence
    };

    void run();
    [[nodiscard]] Result<std::string> answer_at(int socket);
    [[nodiscard]] std::string outcome(const Asked& asked);

    const Say say_;
    const std::function<double()> ticks_per_second_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Asked> waiting_;  // under mutex_, as the next
    bool finishing_ = false;
    std::thread thread_;
};

}  // namespace sla::daemon
