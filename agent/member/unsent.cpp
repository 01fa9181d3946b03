#include "agent/member/unsent.h"

#include <utility>

namespace sla::member {

void Unsent::add(const std::string& subject, const std::string& body) {
    put({subject, body});
}

void Unsent::add_first_word(const std::string& subject, const std::string& body) {
    put({subject, body, true});
}

void Unsent::put(Message message) {
    messages_.push_back(std::move(message));
    if (messages_.size() <= kMost) return;
    messages_.pop_front();
    ++given_up_;
}

void Unsent::replace(const std::string& subject, const std::string& body) {
    const auto known =
        std::find_if(messages_.begin(), messages_.end(), [&](const Message& one) { return one.subject == subject; });
    if (known == messages_.end()) return add(subject, body);
    *known = {subject, body};
}

}  // namespace sla::member
