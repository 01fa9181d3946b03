#include "viewer/fleet/nats_messages.h"

#include "proto/fleet/questions.h"
#include "proto/fleet/stored_answer.h"
#include "viewer/fleet/ask_again.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace sla::fleet {
namespace {

// A server lists every one of them, some ten bytes each.
constexpr std::uint64_t kMostListed = 1'000'000;

// Of chunks of 256 KiB they fill a fifth of what a server holds for a reader before it gives that one up.
constexpr std::size_t kQuestionsAtOnce = 48;

constexpr const char* kReading = "cannot read";

// What the servers say of a message's place stands behind its own headers.
struct LastValue {
    const char* text = nullptr;
    int count = 0;
};
LastValue last_value(natsMsg* message, const char* name) {
    const char** values = nullptr;
    LastValue last;
    if (natsMsgHeader_Values(message, name, &values, &last.count) != NATS_OK) return {};
    if (last.count > 0) last.text = values[last.count - 1];
    std::free(values);  // NOLINT(cppcoreguidelines-no-malloc): libnats allocates it so
    return last;
}

HeaderSource headers_of(natsMsg* message) {
    return [message](const char* name) { return last_value(message, name).text; };
}

// Where it stands says the answer itself (kDirect), or its place in another message (kLeader). A message that says so once more is an
// answer of the servers which somebody had sent to another's subject: who may publish there did not.
enum class Answer : std::uint8_t { kLeader, kDirect };

StoredMessage stored(natsMsg* message, std::uint64_t sequence, Answer answer) {
    StoredMessage out;
    out.sequence = sequence;
    const bool is_published = last_value(message, kPlaceHeader).count <= static_cast<int>(answer);
    if (is_published) out.headers = parse_headers(headers_of(message));
    const int length = natsMsg_GetDataLength(message);
    if (length > 0) out.body.assign(natsMsg_GetData(message), static_cast<std::size_t>(length));
    return out;
}

bool is_answer(natsStatus status, const Connection& connection, std::uint64_t complaints_before) {
    const bool may_not = status == NATS_TIMEOUT && connection.lacks_permission(complaints_before);
    return status == NATS_OK || status == NATS_NOT_FOUND || status == NATS_INVALID_ARG || may_not;
}

}  // namespace

template <typename Call>
Result<void> NatsMessages::call_until_answered(const std::string& what, std::chrono::milliseconds timeout, Call call) const {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + timeout;
    const std::uint64_t before = connection_->complaints();
    jsOptions options;
    jsOptions_Init(&options);
    jsErrCode code = static_cast<jsErrCode>(0);
    const auto attempt = [&, number = 0]() mutable {
        const auto begin = Clock::now();
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - begin);
        options.Wait = std::clamp<std::int64_t>(left.count(), 1, pace_.wait(number++).count());
        const natsStatus status = call(options, &code);
        if (status == NATS_OK || status == NATS_NOT_FOUND)
            pace_.note(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin));
        return status;
    };
    const natsStatus status =
        ask_until_answered(timeout, attempt, [&](natsStatus given) { return is_answer(given, *connection_, before); });
    return status == NATS_OK ? Result<void>() : connection_->error(what + " the stream " + stream_, status, before, code);
}

Result<StoredMessage> NatsMessages::ask(jsDirectGetMsgOptions& wanted, std::chrono::milliseconds timeout) const {
    Message message;
    const Result<void> answered = call_until_answered(kReading, timeout, [&](jsOptions& options, jsErrCode*) {
        return js_DirectGetMsg(message.out(), connection_->jetstream(), stream_.c_str(), &options, &wanted);
    });
    if (!answered) return answered.error();
    const Result<std::uint64_t> place = place_of_answer(headers_of(message.get()));
    if (!place) return place.error();
    return stored(message.get(), *place, Answer::kDirect);
}

// A replica that lags behind may not have it yet, the leader does.
Result<StoredMessage> NatsMessages::get(std::uint64_t sequence, std::chrono::milliseconds timeout) const {
    jsDirectGetMsgOptions wanted;
    jsDirectGetMsgOptions_Init(&wanted);
    wanted.Sequence = sequence;
    Result<StoredMessage> answer = ask(wanted, timeout);
    if (answer || answer.error().code != ErrorCode::kNotFound) return answer;
    Message message;
    const Result<void> answered = call_until_answered(kReading, timeout, [&](jsOptions& options, jsErrCode* code) {
        return js_GetMsg(message.out(), connection_->jetstream(), stream_.c_str(), sequence, &options, code);
    });
    if (!answered) return answered.error();
    return stored(message.get(), natsMsg_GetSequence(message.get()), Answer::kLeader);
}

Result<StoredMessage> NatsMessages::next(const std::string& subject, std::uint64_t from) const {
    jsDirectGetMsgOptions wanted;
    jsDirectGetMsgOptions_Init(&wanted);
    wanted.Sequence = std::max<std::uint64_t>(from, 1);
    wanted.NextBySubject = subject.c_str();
    return ask(wanted, timeout_);
}

Result<std::uint64_t> NatsMessages::newest(const std::string& subject) const {
    Message message;
    const Result<void> answered = call_until_answered(kReading, timeout_, [&](jsOptions& options, jsErrCode* code) {
        return js_GetLastMsg(message.out(), connection_->jetstream(), stream_.c_str(), subject.c_str(), &options, code);
    });
    if (!answered) return answered.error();
    return natsMsg_GetSequence(message.get());
}

std::optional<Result<StoredMessage>> NatsMessages::answer_of(const MessageQuestion& question, natsStatus status,
                                                             natsMsg* message, std::uint64_t complaints_before) const {
    const auto problem = [&](const Error& error) -> std::optional<Result<StoredMessage>> {
        if (error.code == ErrorCode::kUnavailable) return std::nullopt;
        return Error{error.code, "cannot read the stream " + stream_ + ": " + error.message};
    };
    if (status != NATS_OK) return connection_->error("cannot read the stream " + stream_, status, complaints_before);
    if (question.what == MessageQuestion::What::kNewest) {
        const auto length = static_cast<std::size_t>(natsMsg_GetDataLength(message));
        const Result<NewestMessage> newest = parse_newest({natsMsg_GetData(message), length});
        if (!newest) return problem(newest.error());
        return StoredMessage{newest->sequence, std::nullopt, {}};
    }
    const Result<std::uint64_t> place = place_of_answer(headers_of(message));
    if (place) return stored(message, *place, Answer::kDirect);
    const bool is_at_leader = question.what == MessageQuestion::What::kMessage && place.error().code == ErrorCode::kNotFound;
    return is_at_leader ? get(question.at, timeout_) : problem(place.error());
}

bool NatsMessages::ask_each(const std::vector<MessageQuestion>& first, const More& more, std::chrono::milliseconds timeout,
                            const std::function<bool()>& goes_on) const {
    const std::uint64_t before = connection_->complaints();
    Questions questions(*connection_, pace_, timeout, kQuestionsAtOnce);
    const std::function<void(std::size_t, const MessageQuestion&)> ask = [&](std::size_t row,
                                                                             const MessageQuestion& question) {
        StreamQuestion asked = question.what == MessageQuestion::What::kMessage ? ask_message(stream_, question.at)
                               : question.what == MessageQuestion::What::kNext
                                   ? ask_next(stream_, question.subject, std::max<std::uint64_t>(question.at, 1))
                                   : ask_newest(stream_, question.subject);
        const auto take = [&, row, question](natsStatus status, natsMsg* message) {
            std::optional<Result<StoredMessage>> answer = answer_of(question, status, message, before);
            if (!answer) return false;
            if (const auto next = more(row, std::move(*answer))) ask(row, *next);
            return true;
        };
        questions.ask(std::move(asked.subject), std::move(asked.body), take, question.later);
    };
    for (std::size_t row = 0; row < first.size(); ++row) ask(row, first[row]);
    return questions.run(goes_on);
}

// Twice where something was deleted: streams of which nothing was are most, and have no list to make.
Result<StreamState> NatsMessages::state() const {
    StreamState state;
    for (const bool with_deleted : {false, true}) {
        StreamInfo info;
        const Result<void> answered =
            call_until_answered("cannot look at", timeout_, [&](jsOptions& options, jsErrCode* code) {
                options.Stream.Info.DeletedDetails = with_deleted;
                return js_GetStreamInfo(info.out(), connection_->jetstream(), stream_.c_str(), &options, code);
            });
        if (!answered) return answered.error();
        state.first = info->State.FirstSeq;
        state.knows_deleted = info->State.NumDeleted <= kMostListed;
        if (info->State.Deleted != nullptr && info->State.DeletedLen > 0)
            state.deleted.assign(info->State.Deleted, info->State.Deleted + info->State.DeletedLen);
        if (info->State.NumDeleted == 0 || !state.knows_deleted) break;
    }
    std::sort(state.deleted.begin(), state.deleted.end());
    return state;
}

}  // namespace sla::fleet
