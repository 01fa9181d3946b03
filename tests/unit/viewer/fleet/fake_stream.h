// A stream of messages in memory.
#pragma once

#include "viewer/fleet/message_store.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace sla::fleet {

class FakeStream final : public MessageStore {
public:
    struct Kept {
        std::string subject;
        StoredMessage message;
    };

    std::uint64_t put(const std::string& subject, const MessageHeaders& headers, const std::string& body) {
        const std::uint64_t sequence = next_++;
        messages_[sequence] = {subject, {sequence, headers, body}};
        return sequence;
    }
    // As it is, but for its sequence.
    void put_at(Kept kept) {
        kept.message.sequence = next_;
        messages_[next_++] = std::move(kept);
    }
    // As another stream, whose first message is the first.
    void begin_anew() {
        messages_.clear();
        next_ = 1;
    }
    // Sequence by sequence, to be changed by a test.
    std::map<std::uint64_t, Kept>& messages() { return messages_; }
    void expire_below(std::uint64_t sequence) { messages_.erase(messages_.begin(), messages_.lower_bound(sequence)); }

    [[nodiscard]] Result<StoredMessage> get(std::uint64_t sequence, std::chrono::milliseconds /*timeout*/) const override {
        const auto at = messages_.find(sequence);
        if (at == messages_.end()) return not_found("no message " + std::to_string(sequence));
        return at->second.message;
    }
    [[nodiscard]] Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const override {
        for (auto at = messages_.lower_bound(from); at != messages_.end(); ++at) {
            if (at->second.subject == subject) return at->second.message;
        }
        return not_found("no more of " + subject);
    }
    [[nodiscard]] Result<std::uint64_t> newest(const std::string& subject) const override {
        for (auto at = messages_.rbegin(); at != messages_.rend(); ++at) {
            if (at->second.subject == subject) return at->first;
        }
        return not_found("nothing of " + subject);
    }
    [[nodiscard]] Result<StreamState> state() const override {
        StreamState state;
        state.first = messages_.empty() ? next_ : messages_.begin()->first;
        for (std::uint64_t at = state.first; at < next_; ++at) {
            if (!messages_.contains(at)) state.deleted.push_back(at);
        }
        return state;
    }

private:
    std::map<std::uint64_t, Kept> messages_;
    std::uint64_t next_ = 1;
};

}  // namespace sla::fleet
