// MessageStore: the messages of one stream, by their sequence: a JetStream cluster's, or a test's.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/headers.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::fleet {

inline constexpr std::chrono::seconds kAnswerTime{15};  // longer than an election

struct StoredMessage {
    std::uint64_t sequence = 0;             // in the stream
    std::optional<MessageHeaders> headers;  // nothing: they are none of ours
    std::string body;
};

// Which of its messages a stream still has: those from `first` on that were not deleted one by one since.
struct StreamState {
    std::uint64_t first = 1;             // the oldest one; what was before it has expired
    std::vector<std::uint64_t> deleted;  // behind it; rising
    bool knows_deleted = true;           // no: so many were that nobody lists them

    [[nodiscard]] bool has_expired(std::uint64_t sequence) const { return sequence != 0 && sequence < first; }
    [[nodiscard]] bool has_deleted(std::uint64_t sequence) const {
        return std::binary_search(deleted.begin(), deleted.end(), sequence);
    }
};

// One of many that are on their way at once.
struct MessageQuestion {
    enum class What {
        kMessage,  // the one at that place
        kNext,     // the first of that subject from that place on
        kNewest    // where the newest of that subject is: an answer without headers and body
    };
    What what = What::kMessage;
    std::string subject;
    std::uint64_t at = 0;
    std::chrono::milliseconds later{0};  // not before so long
};

// Trusted for nothing but to answer; any thread. kNotFound: there is none (any more), and the next attempt will not find it
// either. Any other error comes after the attempts were given up.
class MessageStore {
public:
    virtual ~MessageStore() = default;
    // Waits so long for it at most, or a little longer.
    [[nodiscard]] virtual Result<StoredMessage> get(std::uint64_t sequence, std::chrono::milliseconds timeout) const = 0;
    // The first of that subject from there on. kNotFound may come from a server that lags behind: what newest() says is there.
    [[nodiscard]] virtual Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const = 0;
    // Of the newest message of that subject, as the stream's leader knows.
    [[nodiscard]] virtual Result<std::uint64_t> newest(const std::string& subject) const = 0;
    // As the stream's leader knows.
    [[nodiscard]] virtual Result<StreamState> state() const = 0;

    // The answer to that row's last question; gives its next one, or nothing: it has ended.
    using More = std::function<std::optional<MessageQuestion>(std::size_t row, Result<StoredMessage> answer)>;
    // Rows of questions, by their first ones: one row after the other, where a store cannot have many on their way at once.
    // False: `goes_on` (may be empty) stopped it.
    [[nodiscard]] virtual bool ask_each(const std::vector<MessageQuestion>& first, const More& more,
                                        std::chrono::milliseconds timeout, const std::function<bool()>& goes_on) const;

private:
    [[nodiscard]] Result<StoredMessage> answer(const MessageQuestion& question, std::chrono::milliseconds timeout) const;
};

}  // namespace sla::fleet
