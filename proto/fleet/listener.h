// Receives what is published on a subject, on a thread of libnats of its own, so that whoever takes stamps is waited for by
// nobody.
//
// The handler never runs after ~Listener; it may publish, it must not wait. What it has no time for is dropped by libnats
// beyond kMaxWaiting: who floods a subject costs so much memory and no more.
#pragma once

#include "proto/base/result.h"
#include "proto/fleet/connection.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace sla::fleet {

struct Received {
    natsConnection* connection;  // to answer on
    std::string_view subject;
    std::string_view reply;  // empty: no answer is wanted
    std::string_view body;
    bool nobody_listens = false;  // the servers say so, in the place of an answer
};

// It was published on that subject, which the servers let only some do, and asks for its answer in an inbox. The servers do not
// look at where an answer is asked to go: one to elsewhere would be written with our rights, and what comes on a subject as an
// answer of the servers, or as what a consumer delivers, was sent there by somebody who may not.
bool is_question_to(std::string_view subject, const Received& request);
// To where the request came from; nobody notices when that fails, who asked asks again.
void answer(const Received& request, std::string_view body);

class Listener {
public:
    using Handler = std::function<void(const Received&)>;
    static constexpr int kMaxWaiting = 1024;  // messages
    static constexpr int kMaxBytes = 4 << 20;

    // It must go before the connection does.
    static Result<std::unique_ptr<Listener>> open(const Connection& connection, const std::string& subject, Handler handler);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

private:
    struct Ear;
    Listener(std::shared_ptr<Ear> ear, Inboxes& inboxes) : ear_(std::move(ear)), inboxes_(inboxes) {}
    static void on_message(natsConnection* connection, natsSubscription* subscription, natsMsg* message, void* closure);
    static void on_complete(void* closure);

    std::shared_ptr<Ear> ear_;                  // libnats has another, until its thread is through
    Inboxes& inboxes_;                          // keep the subscription when we go
    natsSubscription* subscription_ = nullptr;  // null: it could not be made
};

}  // namespace sla::fleet
