// What a person should read. Messages are shown as a bar until dismissed, each once, the gravest first. A notice goes by
// itself: it says why what was asked for did not happen.
#pragma once

#include "viewer/workspace/source/data_source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::workspace {

enum class Severity : std::uint8_t { kInformation, kWarning, kError };

struct Message {
    std::string text;
    Severity severity = Severity::kError;
    const void* of = nullptr;  // the document it is about, with which it goes; null: the window's own
    std::string again;         // what to open when the person wants to try once more; "": nothing
};

// What is how grave: decided here and nowhere else.
Severity severity_of(const store::Note& note);
Severity severity_of(SourceState state);

class Errors {
public:
    // The same message is not reported twice in a row.
    void add(Message message);
    void add(std::string error) { add(Message{std::move(error), Severity::kError, nullptr, {}}); }
    void dismiss();
    void dismiss_all() { messages_.clear(); }
    // What would be shown next, the gravest first, a line each.
    [[nodiscard]] std::string others() const;
    // What it is about is closed.
    void forget(const void* of);
    // What it is about goes on as that one.
    void hand_on(const void* from, const void* to);
    // What it says is so no more.
    void withdraw(const void* of, std::string_view text);
    [[nodiscard]] bool any() const { return !messages_.empty(); }
    [[nodiscard]] std::size_t count() const { return messages_.size(); }
    // The newest of the gravest.
    [[nodiscard]] const Message& shown() const { return messages_[shown_at()]; }

    void notice(std::string_view words);
    // "" when there is none.
    [[nodiscard]] const std::string& notice() const { return notice_; }
    // Once a frame: a notice lives for some seconds.
    void age(double seconds);

private:
    [[nodiscard]] std::size_t shown_at() const;

    static constexpr std::size_t kMax = 20;
    static constexpr double kNoticeSeconds = 4;
    std::vector<Message> messages_;
    std::string notice_;
    double notice_left_ = 0;  // seconds
};

}  // namespace sla::workspace
