// A JetStream stream as a MessageStore. Messages are asked for one by one, of any server that has them, so that nothing is kept
// on the servers for a reader. While a server dies and another one takes over, it asks again.
#pragma once

#include "proto/fleet/connection.h"
#include "viewer/fleet/answer_pace.h"
#include "viewer/fleet/message_store.h"

#include <chrono>
#include <memory>
#include <string>

namespace sla::fleet {

class NatsMessages final : public MessageStore {
public:
    // `timeout`: so long it asks again before it gives up, where nobody says otherwise.
    NatsMessages(std::shared_ptr<const Connection> connection, std::string stream,
                 std::chrono::milliseconds timeout = std::chrono::seconds(15))
        : connection_(std::move(connection)), stream_(std::move(stream)), timeout_(timeout) {}

    [[nodiscard]] Result<StoredMessage> get(std::uint64_t sequence, std::chrono::milliseconds timeout) const override;
    [[nodiscard]] Result<StoredMessage> next(const std::string& subject, std::uint64_t from) const override;
    [[nodiscard]] Result<std::uint64_t> newest(const std::string& subject) const override;
    [[nodiscard]] Result<StreamState> state() const override;

private:
    Result<StoredMessage> ask(jsDirectGetMsgOptions& wanted, std::chrono::milliseconds timeout) const;
    // call(options) until it gives an answer, or for so long.
    template <typename Call>
    natsStatus call_until_answered(std::chrono::milliseconds timeout, Call call) const;

    std::shared_ptr<const Connection> connection_;
    std::string stream_;
    std::chrono::milliseconds timeout_;
    mutable AnswerPace pace_;
};

}  // namespace sla::fleet
