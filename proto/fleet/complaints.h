// What servers said on their own account. libnats reports it on a thread of its own, maybe after the connection is gone, and
// without a handler it would write it to standard error.
#pragma once

#include <nats/nats.h>

#include <cstddef>
#include <cstdint>
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
    // Of connections that have not begun nothing is kept.
    void add(natsConnection* connection, const char* words);
    // How many there were so far.
    std::uint64_t count(natsConnection* connection);
    // Of those behind the first `before`, and those that say that no answer can be received: the last one that names `about`; else
    // what kind the last one was (of two that come together libnats keeps the second's words). "": none.
    std::string of(natsConnection* connection, std::string_view about = {}, std::uint64_t before = 0);
    // Of the same ones the last that names `subject`, or says that no answer can be received; "": none does.
    std::string about(natsConnection* connection, const std::string& subject, std::uint64_t before);
    // libnats' handler of errors.
    static void note(natsConnection* connection, natsSubscription* subscription, natsStatus status, void* closure);

private:
    static constexpr std::size_t kKept = 64;  // of a connection: where many questions are on their way
    struct Complaint {
        std::uint64_t number = 0;  // from 0 on
        std::string words;
    };
    struct Said {
        std::uint64_t count = 0;
        std::deque<Complaint> kept;  // the last one is the newest
    };
    std::mutex mutex_;
    std::map<natsConnection*, Said> said_;  // under mutex_
};

}  // namespace sla::fleet
