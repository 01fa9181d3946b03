// What servers said on their own account. libnats reports it on a thread of its own, maybe after the connection is gone, and
// without a handler it would write it to standard error.
#pragma once

#include <nats/nats.h>

#include <map>
#include <mutex>
#include <string>

namespace sla::fleet {

// Of all connections of this process; any thread may call.
class Complaints {
public:
    // Never destroyed: libnats' threads end with the process.
    static Complaints& all();

    void begin(natsConnection* connection);
    void end(natsConnection* connection);
    // The last one; "": none.
    std::string of(natsConnection* connection);
    // libnats' handler of errors; of connections that have not begun it keeps nothing.
    static void note(natsConnection* connection, natsSubscription* subscription, natsStatus status, void* closure);

private:
    std::mutex mutex_;
    std::map<natsConnection*, std::string> said_;  // under mutex_
};

}  // namespace sla::fleet
