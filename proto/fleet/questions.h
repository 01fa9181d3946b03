// Questions: many requests to the servers, some of them on their way at a time, all answers at one subject. One after the other
// each costs the way there and back and two wakeups; a thousand on their way together take hardly longer than ten.
//
//   ask() ─► waiting ─► on their way, so many at most ─► take(), which may ask() more
//               ▲               │ no answer in its time (AnswerPace), or none that is one
//               └───────────────┘ until the patience with it is over: take() of NATS_TIMEOUT
//
// One thread, and for as long as the connection lives.
#pragma once

#include "proto/fleet/answer_pace.h"
#include "proto/fleet/connection.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace sla::fleet {

class Questions {
public:
    using Milliseconds = std::chrono::milliseconds;
    // With NATS_OK an answer, else null. False: that is none, ask again; at the last attempt that counts for nothing.
    using Take = std::function<bool(natsStatus status, natsMsg* answer)>;

    // `patience`: with each, from when it is asked first. `pace`: of this stream's or server's answers.
    Questions(const Connection& connection, AnswerPace& pace, Milliseconds patience, std::size_t most_on_their_way);
    ~Questions() { connection_.inboxes().give_back(std::move(inbox_)); }
    Questions(const Questions&) = delete;
    Questions& operator=(const Questions&) = delete;

    // `later`: not before so long.
    void ask(std::string subject, std::string body, Take take, Milliseconds later = {});
    // Until nothing is to be answered. `goes_on` (may be empty) is asked every now and then; false: all are forgotten.
    bool run(const std::function<bool()>& goes_on);

private:
    using Clock = std::chrono::steady_clock;
    struct Asked {
        std::string subject;
        std::string body;
        Take take;
        int attempts = 0;
        Clock::time_point first;  // asked
        Clock::time_point last;
        Clock::time_point again;              // to be asked, unless it is answered before
        natsStatus status = NATS_TIMEOUT;     // of the last attempt, without an answer
        std::uint64_t complaints_before = 0;  // of the servers
    };
    void send(std::uint64_t number, Asked& asked);
    void send_waiting();
    void ask_again();
    void receive();
    void nobody_listens();
    void end(std::uint64_t number, natsStatus status);

    const Connection& connection_;
    AnswerPace& pace_;
    Milliseconds patience_;
    std::size_t most_;
    std::unique_ptr<Inboxes::Inbox> inbox_;
    std::deque<Asked> waiting_;
    std::multimap<Clock::time_point, Asked> later_;
    std::unordered_map<std::uint64_t, Asked> on_their_way_;  // by the last word of the subject for its answer
};

}  // namespace sla::fleet
