// What servers said on their own account. libnats reports it on a thread of its own, maybe after the connection is gone, and
// without a handler it would write it to standard error.
#pragma once

#include <nats/nats.h>

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace sla::fleet {

// Of all connections of this process; any thread may call.
class Complaints {
public:
    // Never destroyed: libnats' threads end with the process.
    static Complaints& all();

    void begin(natsConnection* connection);
    void end(natsConnection* connection);
    // The last one that names `about`; else what kind the last one was (of two that come together libnats keeps the second's words).
    // "": none.
    std::string of(natsConnection* connection, std::string_view about = {});
    // libnats' handler of errors; of connections that have not begun it keeps nothing.
    static void note(natsConnection* connection, natsSubscription* subscription, natsStatus status, void* closure);

private:
    std::mutex mutex_;
    static constexpr std::size_t kKept = 64;                   // of a connection: where many questions are on their way
    std::map<natsConnection*, std::deque<std::string>> said_;  // the last one is the newest; under mutex_
};

}  // namespace sla::fleet
