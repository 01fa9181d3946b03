#include "agent/member/unsent.h"

namespace sla::member {

void Unsent::add(const std::string& subject, const std::string& body) {
    messages_.push_back({subject, body});
    if (messages_.size() <= kMost) return;
    messages_.pop_front();
    ++given_up_;
}

void Unsent::replace(const std::string& subject, const std::string& body) {
    const auto known =
        std::find_if(messages_.begin(), messages_.end(), [&](const Message& one) { return one.subject == subject; });
    if (known == messages_.end()) return add(subject, body);
    known->body = body;
}

}  // namespace sla::member
