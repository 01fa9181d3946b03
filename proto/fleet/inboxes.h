// Inboxes: subjects of a connection for answers, each with its subscription, lent and given back. None is let go of before the
// connection is closed: libnats 3.4.1 may still hold the lock of a subscription that has just got its last message, and ends the
// program when that lock is gone. Any thread.
#pragma once

#include <nats/nats.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sla::fleet {

class Inboxes {
public:
    struct Inbox {
        std::string subject;                  // answers come to SUBJECT.NUMBER
        natsSubscription* answers = nullptr;  // null: the connection is closed, nothing is answered
        std::uint64_t next = 0;  // number that was not used, also by who had it before: what is late is nobody's
    };

    Inboxes() = default;
    ~Inboxes();
    Inboxes(const Inboxes&) = delete;
    Inboxes& operator=(const Inboxes&) = delete;

    std::unique_ptr<Inbox> take(natsConnection* connection);
    void give_back(std::unique_ptr<Inbox> inbox);

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Inbox>> idle_;
};

}  // namespace sla::fleet
