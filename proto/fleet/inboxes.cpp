#include "proto/fleet/inboxes.h"

#include "proto/fleet/connection.h"

#include <utility>

namespace sla::fleet {

Inboxes::~Inboxes() {
    for (const auto& inbox : idle_) natsSubscription_Destroy(inbox->answers);
    for (natsSubscription* subscription : retired_) natsSubscription_Destroy(subscription);
}

std::unique_ptr<Inboxes::Inbox> Inboxes::take(natsConnection* connection) {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<Inbox> inbox = std::move(idle_.back());
            idle_.pop_back();
            return inbox;
        }
    }
    auto inbox = std::make_unique<Inbox>();
    inbox->subject = new_inbox();
    const std::string all = inbox->subject + ".*";
    if (natsConnection_SubscribeSync(&inbox->answers, connection, all.c_str()) != NATS_OK) inbox->answers = nullptr;
    return inbox;
}

void Inboxes::give_back(std::unique_ptr<Inbox> inbox) {
    if (inbox->answers == nullptr) return;
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(inbox));
}

void Inboxes::retire(natsSubscription* subscription) {
    (void)natsSubscription_Unsubscribe(subscription);  // fails where the connection is closed: then nothing comes either
    const std::lock_guard lock(mutex_);
    retired_.push_back(subscription);
}

}  // namespace sla::fleet
