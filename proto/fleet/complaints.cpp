#include "proto/fleet/complaints.h"

namespace sla::fleet {

Complaints& Complaints::all() {
    static Complaints& kAll = *new Complaints;
    return kAll;
}

void Complaints::begin(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    said_[connection] = "";
}

void Complaints::end(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    said_.erase(connection);
}

std::string Complaints::of(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    const auto at = said_.find(connection);
    return at == said_.end() ? "" : at->second;
}

void Complaints::note(natsConnection* connection, natsSubscription* /*subscription*/, natsStatus status, void* /*closure*/) {
    const char* said = nullptr;
    if (natsConnection_GetLastError(connection, &said) == NATS_OK || said == nullptr || *said == '\0')
        said = natsStatus_GetText(status);
    Complaints& every = all();
    std::lock_guard lock(every.mutex_);
    if (const auto at = every.said_.find(connection); at != every.said_.end()) at->second = said;
}

}  // namespace sla::fleet
