#include "proto/fleet/complaints.h"

namespace sla::fleet {
namespace {

// A subscription for answers is made once, and what is asked later needs it too.
bool is_of_all_answers(const std::string& words) {
    return words.find("Subscription to \"_INBOX.") != std::string::npos;
}

}  // namespace

Complaints& Complaints::all() {
    static Complaints& kAll = *new Complaints;
    return kAll;
}

void Complaints::begin(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    said_[connection] = {};
}

void Complaints::end(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    said_.erase(connection);
}

void Complaints::add(natsConnection* connection, const char* words) {
    std::lock_guard lock(mutex_);
    const auto at = said_.find(connection);
    if (at == said_.end()) return;
    Said& of_connection = at->second;
    of_connection.kept.push_back({of_connection.count++, words});
    if (of_connection.kept.size() > kKept) of_connection.kept.pop_front();
}

std::uint64_t Complaints::count(natsConnection* connection) {
    std::lock_guard lock(mutex_);
    const auto at = said_.find(connection);
    return at == said_.end() ? 0 : at->second.count;
}

std::string Complaints::of(natsConnection* connection, std::string_view about, std::uint64_t before) {
    std::lock_guard lock(mutex_);
    const auto at = said_.find(connection);
    if (at == said_.end()) return "";
    const std::string* newest = nullptr;
    for (auto one = at->second.kept.rbegin(); one != at->second.kept.rend(); ++one) {
        if (one->number < before && !is_of_all_answers(one->words)) continue;
        if (one->words.find(about) != std::string::npos) return one->words;
        if (newest == nullptr) newest = &one->words;
    }
    return newest == nullptr ? "" : newest->substr(0, newest->find(" for "));  // of another question: the kind of it alone
}

std::string Complaints::about(natsConnection* connection, const std::string& subject, std::uint64_t before) {
    std::lock_guard lock(mutex_);
    const auto at = said_.find(connection);
    if (at == said_.end()) return "";
    for (auto one = at->second.kept.rbegin(); one != at->second.kept.rend(); ++one) {
        const bool names_it = one->number >= before && one->words.find('"' + subject + '"') != std::string::npos;
        if (names_it || is_of_all_answers(one->words)) return one->words;
    }
    return "";
}

void Complaints::note(natsConnection* connection, natsSubscription* /*subscription*/, natsStatus status, void* /*closure*/) {
    const char* said = nullptr;
    if (natsConnection_GetLastError(connection, &said) == NATS_OK || said == nullptr || *said == '\0')
        said = natsStatus_GetText(status);
    all().add(connection, said);
}

}  // namespace sla::fleet
