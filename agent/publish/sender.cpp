#include "agent/publish/sender.h"

#include <fmt/format.h>

#include <deque>

namespace sla::publish {
namespace {

void on_answer(jsCtx* /*context*/, natsMsg* message, jsPubAck* good, jsPubAckErr* bad, void* closure) {
    fleet::Message owned(message);
    const char* id = nullptr;
    if (natsMsgHeader_Get(message, fleet::kIdHeader, &id) != NATS_OK || id == nullptr) return;
    const auto parsed = fleet::parse_message_id(id);
    if (!parsed) return;
    Answer answer;
    answer.id = *parsed;
    if (good != nullptr) {
        answer.at = good->Sequence;
        answer.is_duplicate = good->Duplicate;
    } else if (bad != nullptr) {
        answer.why = bad->ErrText != nullptr && *bad->ErrText != '\0' ? bad->ErrText : natsStatus_GetText(bad->Err);
        if (bad->ErrCode != 0) answer.why += fmt::format(" (JetStream error {})", static_cast<int>(bad->ErrCode));
    }
    static_cast<AnswerBox*>(closure)->put(std::move(answer));
}

}  // namespace

AnswerBox& AnswerBox::make() {
    static std::mutex mutex;
    static auto& kAll = *new std::deque<AnswerBox>;
    std::lock_guard lock(mutex);
    return kAll.emplace_back();
}

void AnswerBox::put(Answer answer) {
    std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
    is_awake_ = true;
    woken_.notify_one();
}

std::vector<Answer> AnswerBox::take() {
    std::lock_guard lock(mutex_);
    return std::exchange(answers_, {});
}

void AnswerBox::wake() {
    std::lock_guard lock(mutex_);
    is_awake_ = true;
    woken_.notify_one();
}

void AnswerBox::wait(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    woken_.wait_for(lock, limit, [this] { return is_awake_; });
    is_awake_ = false;
}

Result<std::unique_ptr<Sender>> Sender::open(const fleet::ConnectOptions& options, AnswerBox& box) {
    Result<std::unique_ptr<fleet::Connection>> connection = fleet::Connection::open(options);
    if (!connection) return connection.error();
    std::unique_ptr<Sender> sender(new Sender(std::move(*connection)));
    jsOptions wanted;
    jsOptions_Init(&wanted);
    wanted.PublishAsync.MaxPending = 4 * kWindowMessages;  // never reached: the window is ours
    wanted.PublishAsync.AckHandler = on_answer;
    wanted.PublishAsync.AckHandlerClosure = &box;
    Result<fleet::JetStream> jetstream = sender->connection_->make_jetstream(wanted);
    if (!jetstream) return jetstream.error();
    sender->jetstream_ = std::move(*jetstream);
    return sender;
}

Result<void> Sender::send(const std::string& subject, const Piece::Outgoing& outgoing) {
    fleet::Message message;
    natsStatus status = natsMsg_Create(message.out(), subject.c_str(), nullptr, outgoing.body.data(),
                                       static_cast<int>(outgoing.body.size()));
    for (const auto& [name, value] : outgoing.headers.texts()) {
        if (status == NATS_OK) status = natsMsgHeader_Set(message.get(), name, value.c_str());
    }
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MaxWait = kAnswerTime.count();
    if (status == NATS_OK) status = js_PublishMsgAsync(jetstream_.get(), message.address(), &options);
    return status == NATS_OK ? Result<void>() : fleet::nats_error("cannot publish " + subject, status);
}

Result<void> Sender::put(const std::string& bucket, const std::string& key, const std::string& value) {
    const std::string subject = "$KV." + bucket + "." + key;
    const natsStatus status = natsConnection_PublishString(connection_->get(), subject.c_str(), value.c_str());
    return status == NATS_OK ? Result<void>() : fleet::nats_error("cannot publish " + subject, status);
}

Result<void> Sender::put_for_good(const std::string& bucket, const std::string& key, const std::string& value) {
    const std::string subject = "$KV." + bucket + "." + key;
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MaxWait = kPutTime.count();
    jsErrCode code = static_cast<jsErrCode>(0);
    const natsStatus status = js_Publish(nullptr, connection_->jetstream(), subject.c_str(), value.data(),
                                         static_cast<int>(value.size()), &options, &code);
    return status == NATS_OK ? Result<void>() : fleet::nats_error("cannot publish " + subject, status, code);
}

void Sender::flush(std::chrono::milliseconds limit) {
    (void)natsConnection_FlushTimeout(connection_->get(), limit.count());
}

}  // namespace sla::publish
