#include "viewer/fleet/message_store.h"

#include <thread>
#include <utility>

namespace sla::fleet {

Result<StoredMessage> MessageStore::answer(const MessageQuestion& question, std::chrono::milliseconds timeout) const {
    switch (question.what) {
        case MessageQuestion::What::kMessage: return get(question.at, timeout);
        case MessageQuestion::What::kNext: return next(question.subject, question.at);
        case MessageQuestion::What::kNewest: break;
    }
    const Result<std::uint64_t> sequence = newest(question.subject);
    if (!sequence) return sequence.error();
    return StoredMessage{*sequence, std::nullopt, {}};
}

bool MessageStore::ask_each(const std::vector<MessageQuestion>& first, const More& more, std::chrono::milliseconds timeout,
                            const std::function<bool()>& goes_on) const {
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::optional<MessageQuestion> question = first[i]; question;) {
            if (goes_on && !goes_on()) return false;
            std::this_thread::sleep_for(question->later);
            question = more(i, answer(*question, timeout));
        }
    }
    return true;
}

}  // namespace sla::fleet
