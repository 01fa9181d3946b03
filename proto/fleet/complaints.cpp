#include "proto/fleet/complaints.h"

#include <algorithm>

namespace sla::fleet {

Complaints& Complaints::all() {
    static Complaints& kAll = *new Complaints;
    return kAll;
}

void Complaints::begin(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    said_[connection].clear();
}

void Complaints::end(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    said_.erase(connection);
}

std::string Complaints::of(natsConnection* connection, std::string_view about) {
    std::lock_guard lock(mutex_);
    const auto at = said_.find(connection);
    if (at == said_.end() || at->second.empty()) return "";
    const auto names_it = [&](const std::string& complaint) { return complaint.find(about) != std::string::npos; };
    const auto found = std::find_if(at->second.rbegin(), at->second.rend(), names_it);
    if (found != at->second.rend()) return *found;
    return at->second.back().substr(0, at->second.back().find(" for "));  // of another question: the kind of it alone
}

void Complaints::note(natsConnection* connection, natsSubscription* /*subscription*/, natsStatus status, void* /*closure*/) {
    const char* said = nullptr;
    if (natsConnection_GetLastError(connection, &said) == NATS_OK || said == nullptr || *said == '\0')
        said = natsStatus_GetText(status);
    Complaints& every = all();
    std::lock_guard lock(every.mutex_);
    const auto at = every.said_.find(connection);
    if (at == every.said_.end()) return;
    at->second.emplace_back(said);
    if (at->second.size() > kKept) at->second.pop_front();
}

}  // namespace sla::fleet
