#include "agent/publish/sender.h"

#include <fmt/format.h>

#include <deque>

namespace sla::publish {
namespace {

using Acknowledgement = fleet::Handle<jsPubAck, jsPubAck_Destroy>;

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

void on_registry_answer(jsCtx* /*context*/, natsMsg* message, jsPubAck* good, jsPubAckErr* bad, void* closure) {
    const fleet::Message owned(message);
    AnswerBox& box = *static_cast<AnswerBox*>(closure);
    const char* const subject = natsMsg_GetSubject(message);
    if (subject == nullptr) return;
    if (good != nullptr) return box.order().set_stored(subject, good->Sequence);
    if (bad == nullptr || bad->ErrCode != JSStreamWrongLastSequenceErr) return;
    box.order().set_refused(subject, bad->ErrText != nullptr ? bad->ErrText : "");
    box.put_refused_entry();
}

jsPubOptions in_order(const KeyOrder& order, const std::string& subject, std::chrono::milliseconds wait) {
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MaxWait = wait.count();
    const std::optional<std::uint64_t> newest = order.newest(subject);
    options.ExpectLastSubjectSeq = newest.value_or(0);
    options.ExpectNoMessage = newest == 0;
    return options;
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

void AnswerBox::put_refused_entry() {
    std::lock_guard lock(mutex_);
    has_refused_entry_ = true;
    is_awake_ = true;
    woken_.notify_one();
}

bool AnswerBox::take_refused_entry() {
    std::lock_guard lock(mutex_);
    return std::exchange(has_refused_entry_, false);
}

std::string Sender::subject_of(const std::string& bucket, const std::string& key) {
    return "$KV." + bucket + "." + key;
}

Result<fleet::JetStream> Sender::make_jetstream(jsPubAckHandler on_answer) const {
    jsOptions wanted;
    jsOptions_Init(&wanted);
    wanted.PublishAsync.MaxPending = 4 * kWindowMessages;  // never reached: the window is ours
    wanted.PublishAsync.AckHandler = on_answer;
    wanted.PublishAsync.AckHandlerClosure = &box_;
    return connection_->make_jetstream(wanted);
}

Result<std::unique_ptr<Sender>> Sender::open(const fleet::ConnectOptions& options, AnswerBox& box) {
    Result<std::unique_ptr<fleet::Connection>> connection = fleet::Connection::open(options);
    if (!connection) return connection.error();
    std::unique_ptr<Sender> sender(new Sender(std::move(*connection), box));
    Result<fleet::JetStream> jetstream = sender->make_jetstream(on_answer);
    if (!jetstream) return jetstream.error();
    sender->jetstream_ = std::move(*jetstream);
    jetstream = sender->make_jetstream(on_registry_answer);
    if (!jetstream) return jetstream.error();
    sender->of_registry_ = std::move(*jetstream);
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
    const std::string subject = subject_of(bucket, key);
    fleet::Message message;
    natsStatus status =
        natsMsg_Create(message.out(), subject.c_str(), nullptr, value.data(), static_cast<int>(value.size()));
    jsPubOptions options = in_order(box_.order(), subject, kAnswerTime);
    if (status == NATS_OK) status = js_PublishMsgAsync(of_registry_.get(), message.address(), &options);
    return status == NATS_OK ? Result<void>() : fleet::nats_error("cannot publish " + subject, status);
}

Result<void> Sender::put_for_good(const std::string& bucket, const std::string& key, const std::string& value) {
    constexpr int kTries = 3;  // refused once, the second one knows the newest; another one of ours may be on its way
    const std::string subject = subject_of(bucket, key);
    for (int left = kTries - 1;; --left) {
        jsPubOptions options = in_order(box_.order(), subject, kPutTime);
        Acknowledgement stored;
        jsErrCode code = static_cast<jsErrCode>(0);
        const natsStatus status = js_Publish(stored.out(), connection_->jetstream(), subject.c_str(), value.data(),
                                             static_cast<int>(value.size()), &options, &code);
        if (status == NATS_OK) {
            box_.order().set_stored(subject, stored->Sequence);
            return {};
        }
        const char* const said = nats_GetLastError(nullptr);
        const std::string why = said != nullptr ? said : "";
        Error error = fleet::nats_error("cannot publish " + subject, status, code);
        if (code != JSStreamWrongLastSequenceErr || left == 0) return error;
        box_.order().set_refused(subject, why);
    }
}

void Sender::flush(std::chrono::milliseconds limit) {
    (void)natsConnection_FlushTimeout(connection_->get(), limit.count());
}

}  // namespace sla::publish
