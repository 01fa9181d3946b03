#include "viewer/workspace/source/errors.h"

#include <algorithm>

namespace sla::workspace {

Severity severity_of(const store::Note& note) {
    return note.damage ? Severity::kWarning : Severity::kInformation;
}

Severity severity_of(SourceState state) {
    switch (state) {
        case SourceState::kLost: return Severity::kError;
        case SourceState::kFull: return Severity::kWarning;
        case SourceState::kNone:
        case SourceState::kConnecting:
        case SourceState::kLive:
        case SourceState::kStopped:
        case SourceState::kEnded:
        case SourceState::kLoading:
        case SourceState::kLoaded: break;
    }
    return Severity::kInformation;
}

void Errors::add(Message message) {
    if (message.text.empty() || (!messages_.empty() && messages_.back().text == message.text)) return;
    messages_.push_back(std::move(message));
    if (messages_.size() <= kMax) return;
    const auto is_lighter = [](const Message& a, const Message& b) { return a.severity < b.severity; };
    messages_.erase(std::min_element(messages_.begin(), messages_.end(), is_lighter));  // the oldest of the lightest
}

std::size_t Errors::shown_at() const {
    std::size_t at = 0;
    for (std::size_t i = 1; i < messages_.size(); ++i) {
        if (messages_[i].severity >= messages_[at].severity) at = i;
    }
    return at;
}

void Errors::dismiss() {
    if (!messages_.empty()) messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(shown_at()));
}

std::string Errors::others() const {
    Errors rest = *this;
    std::string lines;
    for (rest.dismiss(); rest.any(); rest.dismiss()) lines += (lines.empty() ? "" : "\n") + rest.shown().text;
    return lines;
}

void Errors::forget(const void* of) {
    std::erase_if(messages_, [of](const Message& message) { return message.of == of; });
}

void Errors::hand_on(const void* from, const void* to) {
    for (Message& message : messages_) {
        if (message.of == from) message.of = to;
    }
}

void Errors::withdraw(const void* of, std::string_view text) {
    std::erase_if(messages_, [&](const Message& message) { return message.of == of && message.text == text; });
}

void Errors::notice(std::string_view words) {
    notice_ = words;
    notice_left_ = kNoticeSeconds;
}

void Errors::age(double seconds) {
    if (notice_.empty()) return;
    notice_left_ -= seconds;
    if (notice_left_ <= 0) notice_.clear();
}

}  // namespace sla::workspace
