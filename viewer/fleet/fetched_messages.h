// FetchedMessages: a stream of which some messages are here already. Each is given away once; what is asked for again, and all
// others, the stream is asked for. Any thread.
#pragma once

#include "viewer/fleet/message_store.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace sla::fleet {

class FetchedMessages final : public MessageStore {
public:
    explicit FetchedMessages(std::shared_ptr<const MessageStore> stream) : stream_(std::move(stream)) {}

    [[nodiscard]] const std::shared_ptr<const MessageStore>& stream() const { return stream_; }
    // What the stream answered to that question, until it is asked again.
    void keep(std::uint64_t sequence, StoredMessage message) {
        const std::lock_guard lock(mutex_);
        here_.insert_or_assign(sequence, std::move(message));
    }
    [[nodiscard]] Result<StoredMessage> get(std::uint64_t sequence, std::chrono::milliseconds timeout) const override {
        {
            const std::lock_guard lock(mutex_);
            if (auto here = here_.extract(sequence); !here.empty()) return std::move(here.mapped());
        }
        return stream_->get(sequence, timeout);
    }
    [[nodiscard]] Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const override {
        return stream_->next(subject, from);
    }
    [[nodiscard]] Result<std::uint64_t> newest(const std::string& subject) const override {
        return stream_->newest(subject);
    }
    [[nodiscard]] Result<StreamState> state() const override { return stream_->state(); }

private:
    std::shared_ptr<const MessageStore> stream_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::uint64_t, StoredMessage> here_;  // under mutex_
};

}  // namespace sla::fleet
