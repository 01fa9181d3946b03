#include "proto/fleet/questions.h"

#include "proto/base/text.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace sla::fleet {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};        // at what has come without an answer
constexpr std::chrono::milliseconds kBeforeNextAttempt{100};  // where a server says that it cannot

std::optional<std::uint64_t> number_in(std::string_view subject) {
    return whole_number<std::uint64_t>(subject.substr(subject.rfind('.') + 1));  // all of it where there is no dot
}

}  // namespace

Questions::Questions(const Connection& connection, AnswerPace& pace, Milliseconds patience, std::size_t most_on_their_way)
    : connection_(connection),
      pace_(pace),
      patience_(patience),
      most_(most_on_their_way),
      inbox_(connection.inboxes().take(connection.get())) {}

void Questions::ask(std::string subject, std::string body, Take take, Milliseconds later) {
    Asked asked{std::move(subject), std::move(body), std::move(take), 0, {}, {}, {}, NATS_TIMEOUT, 0};
    if (later.count() == 0) {
        waiting_.push_back(std::move(asked));
    } else {
        later_.emplace(Clock::now() + later, std::move(asked));
    }
}

void Questions::send(std::uint64_t number, Asked& asked) {
    if (asked.attempts == 0) asked.complaints_before = connection_.complaints();
    natsStatus sent = NATS_CONNECTION_CLOSED;
    if (inbox_->answers != nullptr) {
        const std::string reply = inbox_->subject + "." + std::to_string(number);
        sent = natsConnection_PublishRequest(connection_.get(), asked.subject.c_str(), reply.c_str(), asked.body.data(),
                                             static_cast<int>(asked.body.size()));
    }
    asked.last = Clock::now();
    if (asked.attempts == 0) asked.first = asked.last;
    asked.status = sent == NATS_OK ? NATS_TIMEOUT : sent;
    asked.again = asked.last + (sent == NATS_OK ? pace_.wait(asked.attempts) : kBeforeNextAttempt);
    asked.again = std::min(asked.again, asked.first + patience_);
    ++asked.attempts;
}

void Questions::send_waiting() {
    const Clock::time_point now = later_.empty() ? Clock::time_point() : Clock::now();
    while (!later_.empty() && later_.begin()->first <= now) {
        waiting_.push_back(std::move(later_.begin()->second));
        later_.erase(later_.begin());
    }
    while (!waiting_.empty() && on_their_way_.size() < most_) {
        const std::uint64_t number = inbox_->next++;
        Asked& asked = on_their_way_[number] = std::move(waiting_.front());
        waiting_.pop_front();
        send(number, asked);
    }
}

void Questions::end(std::uint64_t number, natsStatus status) {
    const auto asked = on_their_way_.extract(number);
    static_cast<void>(asked.mapped().take(status, nullptr));
}

// What lacks a permission is not answered, however often it is asked.
void Questions::ask_again() {
    const Clock::time_point now = Clock::now();
    std::vector<std::uint64_t> due;
    for (const auto& [number, asked] : on_their_way_) {
        if (asked.again <= now) due.push_back(number);
    }
    for (const std::uint64_t number : due) {
        Asked& asked = on_their_way_.at(number);
        if (now - asked.first >= patience_ || connection_.lacks_permission(asked.complaints_before)) {
            end(number, asked.status);
        } else {
            send(number, asked);
        }
    }
}

// libnats keeps to itself to which question nobody listens: all are asked again soon.
void Questions::nobody_listens() {
    for (auto& [number, asked] : on_their_way_) {
        asked.status = NATS_NO_RESPONDERS;
        asked.again = std::min(asked.again, Clock::now() + kBeforeNextAttempt);
    }
}

void Questions::receive() {
    Message answer;
    const natsStatus received = natsSubscription_NextMsg(answer.out(), inbox_->answers, kBetweenLooks.count());
    if (received == NATS_NO_RESPONDERS) return nobody_listens();
    if (received != NATS_OK && received != NATS_TIMEOUT) std::this_thread::sleep_for(kBetweenLooks);
    if (received != NATS_OK) return;
    const std::optional<std::uint64_t> number = number_in(natsMsg_GetSubject(answer.get()));
    const auto at = number ? on_their_way_.find(*number) : on_their_way_.end();
    if (at == on_their_way_.end()) return;  // the second answer to what was asked twice
    Asked& asked = at->second;
    pace_.note(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - asked.last));
    if (asked.take(NATS_OK, answer.get())) {  // which may ask more: these wait
        on_their_way_.erase(at);
    } else {
        asked.status = NATS_TIMEOUT;
        asked.again = std::min(Clock::now() + kBeforeNextAttempt, asked.first + patience_);
    }
}

bool Questions::run(const std::function<bool()>& goes_on) {
    Clock::time_point next_look;
    while (!waiting_.empty() || !later_.empty() || !on_their_way_.empty()) {
        if (goes_on && !goes_on()) {
            waiting_.clear();
            later_.clear();
            on_their_way_.clear();
            return false;
        }
        send_waiting();
        receive();
        if (Clock::now() < next_look) continue;
        ask_again();
        next_look = Clock::now() + kBetweenLooks;
    }
    return true;
}

}  // namespace sla::fleet
