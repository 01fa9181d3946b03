// Messages on their way to the cluster: sent without waiting, acknowledged in any order by a thread of libnats.
//
// Every message that was sent comes back once in take(): acknowledged, refused, or not answered in time. The boxes live as long
// as the process, since libnats may answer when nobody waits any more.
#pragma once

#include "agent/publish/key_order.h"
#include "agent/publish/piece.h"
#include "proto/fleet/connection.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sla::publish {

struct Answer {
    fleet::MessageId id;
    std::uint64_t at = 0;  // in the stream; 0: it is not there, as far as is known
    std::string why;       // then
    bool is_duplicate = false;
};

// Where a thread of libnats puts answers and a thread of ours waits for them, and for whatever else wakes it.
class AnswerBox {
public:
    // One that is never destroyed.
    static AnswerBox& make();

    void put(Answer answer);
    std::vector<Answer> take();
    void wake();
    void wait(std::chrono::milliseconds limit);
    // An entry of the registry came too late, or first of all: it is to be written once more.
    void put_refused_entry();
    bool take_refused_entry();
    KeyOrder& order() { return order_; }

private:
    std::mutex mutex_;
    std::condition_variable woken_;
    bool is_awake_ = false;  // under mutex_, as
    bool has_refused_entry_ = false;
    std::vector<Answer> answers_;
    KeyOrder order_;
};

class Sender {
public:
    static Result<std::unique_ptr<Sender>> open(const fleet::ConnectOptions& options, AnswerBox& box);

    Result<void> send(const std::string& subject, const Piece::Outgoing& message);
    // Where a bucket's key is written.
    static std::string subject_of(const std::string& bucket, const std::string& key);
    // Of a bucket's key; nobody waits for its answer: the next one comes soon.
    Result<void> put(const std::string& bucket, const std::string& key, const std::string& value);
    // Waits until it is acknowledged, for a second at most: no other one comes.
    Result<void> put_for_good(const std::string& bucket, const std::string& key, const std::string& value);
    // Waits until what was put has left.
    void flush(std::chrono::milliseconds limit);
    [[nodiscard]] const fleet::Connection& connection() const { return *connection_; }

    // Without an answer for so long a message is sent again.
    static constexpr std::chrono::milliseconds kAnswerTime{2000};
    static constexpr std::chrono::milliseconds kPutTime{1000};
    static constexpr std::size_t kWindowMessages = 48;
    static constexpr std::size_t kWindowBytes = std::size_t{8} << 20;

private:
    Sender(std::unique_ptr<fleet::Connection> connection, AnswerBox& box) : connection_(std::move(connection)), box_(box) {}
    Result<fleet::JetStream> make_jetstream(jsPubAckHandler on_answer) const;

    std::unique_ptr<fleet::Connection> connection_;
    AnswerBox& box_;
    fleet::JetStream jetstream_;  // both before the connection goes
    fleet::JetStream of_registry_;
};

}  // namespace sla::publish
