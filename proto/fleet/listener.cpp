#include "proto/fleet/listener.h"

#include <mutex>
#include <utility>

namespace sla::fleet {
namespace {

std::string_view text_or_nothing(const char* text) {
    return text == nullptr ? std::string_view() : text;
}

}  // namespace

struct Listener::Ear {
    std::mutex mutex;  // held while the handler runs
    Handler handler;   // under mutex; empty: the listener is gone
};

bool is_question_to(std::string_view subject, const Received& request) {
    constexpr std::string_view kInboxes = "_INBOX.";
    return request.subject == subject && request.reply.size() > kInboxes.size() && request.reply.starts_with(kInboxes);
}

void answer(const Received& request, std::string_view body) {
    if (request.reply.empty()) return;
    const std::string reply(request.reply);
    (void)natsConnection_Publish(request.connection, reply.c_str(), body.data(), static_cast<int>(body.size()));
}

void Listener::on_message(natsConnection* connection, natsSubscription* /*subscription*/, natsMsg* message, void* closure) {
    Message owned(message);
    const std::shared_ptr<Ear> ear = *static_cast<std::shared_ptr<Ear>*>(closure);
    std::lock_guard lock(ear->mutex);
    if (!ear->handler) return;
    const std::string_view body(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    ear->handler({connection, text_or_nothing(natsMsg_GetSubject(message)), text_or_nothing(natsMsg_GetReply(message)), body,
                  natsMsg_IsNoResponders(message)});
}

void Listener::on_complete(void* closure) {
    delete static_cast<std::shared_ptr<Ear>*>(closure);
}

Result<std::unique_ptr<Listener>> Listener::open(const Connection& connection, const std::string& subject, Handler handler) {
    std::unique_ptr<Listener> listener(new Listener(std::make_shared<Ear>(), connection.inboxes()));
    listener->ear_->handler = std::move(handler);
    auto libnats_ear = std::make_unique<std::shared_ptr<Ear>>(listener->ear_);
    natsStatus status =
        natsConnection_Subscribe(&listener->subscription_, connection.get(), subject.c_str(), on_message, libnats_ear.get());
    if (status != NATS_OK) return nats_error("cannot listen to " + subject, status);
    status = natsSubscription_SetOnCompleteCB(listener->subscription_, on_complete, libnats_ear.get());
    (void)libnats_ear.release();  // on_complete's; where that could not be said it stays for ever
    if (status == NATS_OK) status = natsSubscription_SetPendingLimits(listener->subscription_, kMaxWaiting, kMaxBytes);
    if (status != NATS_OK) return nats_error("cannot listen to " + subject, status);
    return listener;
}

Listener::~Listener() {
    {
        std::lock_guard lock(ear_->mutex);
        ear_->handler = nullptr;
    }
    if (subscription_ != nullptr) inboxes_.retire(subscription_);
}

}  // namespace sla::fleet
