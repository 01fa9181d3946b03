// What is to be said of shots while the cluster cannot be reached: the newest of it, each thing once. One owner, one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace sla::member {

class Unsent {
public:
    static constexpr std::size_t kMost = 256;  // messages

    void add(const std::string& subject, const std::string& body);
    // Of a registry's key the newest value is wanted alone.
    void replace(const std::string& subject, const std::string& body);
    // Wanted only where the key has none.
    void add_first_word(const std::string& subject, const std::string& body);
    // send(subject, body, is_first_word) says whether it has left.
    template <typename Send>
    void send(Send send) {
        std::erase_if(messages_, [&](const Message& one) { return send(one.subject, one.body, one.is_first_word); });
    }
    // Those that still wait, and those that had to go for newer ones.
    [[nodiscard]] std::uint64_t lost() const { return given_up_ + messages_.size(); }

private:
    struct Message {
        std::string subject;
        std::string body;
        bool is_first_word = false;
    };
    void put(Message message);

    std::deque<Message> messages_;
    std::uint64_t given_up_ = 0;
};

}  // namespace sla::member
