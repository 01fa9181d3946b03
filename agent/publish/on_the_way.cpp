#include "agent/publish/on_the_way.h"

#include <algorithm>
#include <utility>

namespace sla::publish {

void OnTheWay::add(const fleet::MessageId& id, const Message& message) {
    sent_[id] = {message, newest_at_[message.shard]};
    bytes_ += message.bytes;
}

std::optional<OnTheWay::Answered> OnTheWay::take(const Answer& answer) {
    const auto at = sent_.find(answer.id);
    if (at == sent_.end()) return std::nullopt;
    const Sent sent = at->second;
    sent_.erase(at);
    bytes_ -= sent.message.bytes;
    return Answered{sent.message, answer.at != 0 && is_in_new_stream(answer, sent)};
}

bool OnTheWay::is_in_new_stream(const Answer& answer, const Sent& sent) {
    std::uint64_t& newest = newest_at_[sent.message.shard];
    if (answer.is_duplicate || answer.at > sent.newest_at) {
        newest = std::max(newest, answer.at);
        return false;
    }
    newest = answer.at;
    for (auto& [id, other] : sent_) {
        if (other.message.shard == sent.message.shard) other.newest_at = 0;
    }
    return true;
}

std::vector<fleet::MessageId> OnTheWay::give_up() {
    std::vector<fleet::MessageId> ids;
    for (const auto& [id, sent] : std::exchange(sent_, {})) ids.push_back(id);
    bytes_ = 0;
    return ids;
}

}  // namespace sla::publish
