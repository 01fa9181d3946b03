// A JetStream stream as a MessageStore. Messages are asked for, of any server that has them, so that nothing is kept on the servers
// for a reader. While a server dies and another one takes over, it asks again.
#pragma once

#include "proto/fleet/answer_pace.h"
#include "proto/fleet/connection.h"
#include "viewer/fleet/message_store.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::fleet {

class NatsMessages final : public MessageStore {
public:
    // `timeout`: so long it asks again before it gives up, where nobody says otherwise.
    NatsMessages(std::shared_ptr<const Connection> connection, std::string stream,
                 std::chrono::milliseconds timeout = kAnswerTime)
        : connection_(std::move(connection)), stream_(std::move(stream)), timeout_(timeout) {}

    [[nodiscard]] Result<StoredMessage> get(std::uint64_t sequence, std::chrono::milliseconds timeout) const override;
    [[nodiscard]] Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const override;
    [[nodiscard]] Result<std::uint64_t> newest(const std::string& subject) const override;
    [[nodiscard]] Result<StreamState> state() const override;
    // Many on their way at once: of a server on the same machine 1,000 take 50 ms, one after the other 300.
    [[nodiscard]] bool ask_each(const std::vector<MessageQuestion>& first, const More& more,
                                std::chrono::milliseconds timeout, const std::function<bool()>& goes_on) const override;

private:
    // Nothing: it is no answer, the same is to be asked again.
    std::optional<Result<StoredMessage>> answer_of(const MessageQuestion& question, natsStatus status, natsMsg* message,
                                                   std::uint64_t complaints_before) const;
    Result<StoredMessage> ask(jsDirectGetMsgOptions& wanted, std::chrono::milliseconds timeout) const;
    // call(options, code) until it gives an answer, or for so long; `what` failed, for the error.
    template <typename Call>
    Result<void> call_until_answered(const std::string& what, std::chrono::milliseconds timeout, Call call) const;

    std::shared_ptr<const Connection> connection_;
    std::string stream_;
    std::chrono::milliseconds timeout_;
    mutable AnswerPace pace_;
};

}  // namespace sla::fleet
