// Inboxes: subjects of a connection for answers, each with its subscription, lent and given back. No subscription is let go of
// before the connection is closed, neither these nor those of listeners: libnats 3.4.1 reads a message's subscription without a
// reference of its own, and ends the program when it is gone meanwhile. Any thread.
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
    // Gets no more messages from now on, and goes with the connection.
    void retire(natsSubscription* subscription);

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Inbox>> idle_;
    std::vector<natsSubscription*> retired_;
};

}  // namespace sla::fleet
