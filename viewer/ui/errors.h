// What went wrong and a person should read: shown as a bar until dismissed, each message once.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sla::ui {

class Errors {
public:
    // The same message is not told twice in a row.
    void add(std::string message) {
        if (message.empty() || (!messages_.empty() && messages_.back() == message)) return;
        messages_.push_back(std::move(message));
        if (messages_.size() > kMost) messages_.erase(messages_.begin());
    }
    void dismiss() {
        if (!messages_.empty()) messages_.pop_back();
    }
    [[nodiscard]] bool any() const { return !messages_.empty(); }
    [[nodiscard]] std::size_t count() const { return messages_.size(); }
    [[nodiscard]] const std::string& newest() const { return messages_.back(); }

private:
    static constexpr std::size_t kMost = 20;
    std::vector<std::string> messages_;
};

}  // namespace sla::ui
