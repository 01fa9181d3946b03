#include "tests/bench/fleet/fleet_load.h"

#include <thread>

namespace sla::bench {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(10);
constexpr auto kTimeout = std::chrono::seconds(30);
constexpr std::int64_t kAnswerMs = 30'000;

}  // namespace

bool StreamGrowth::watch(std::uint64_t messages) {
    auto last_change = Clock::now();
    while (messages_ < messages) {
        fleet::StreamInfo info;
        const natsStatus status = js_GetStreamInfo(info.out(), connection_.jetstream(), stream_.c_str(), nullptr, nullptr);
        const auto now = Clock::now();
        if (status == NATS_OK && info->State.Msgs > messages_) {
            messages_ = info->State.Msgs;
            looks_.push_back({now, info->State.Bytes});
            last_change = now;
        }
        if (now - last_change > kTimeout) return false;
        std::this_thread::sleep_for(kBetweenLooks);
    }
    return true;
}

double StreamGrowth::megabytes_per_second() const {
    if (looks_.size() < 3) return 0;
    const auto reached = [&](double share) {
        std::size_t at = 0;
        while (static_cast<double>(looks_[at].bytes) < share * static_cast<double>(bytes())) ++at;
        return looks_[at];
    };
    const Look from = reached(0.1);
    const Look to = reached(0.9);
    const double seconds = std::chrono::duration<double>(to.at - from.at).count();
    return seconds > 0 ? static_cast<double>(to.bytes - from.bytes) / 1e6 / seconds : 0;
}

Result<void> publish_bare(const fleet::Connection& connection, const std::vector<support::FleetMessage>& messages,
                          int window) {
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = window;
    options.PublishAsync.StallWait = kAnswerMs;
    const Result<fleet::JetStream> jetstream = connection.make_jetstream(options);
    if (!jetstream) return jetstream.error();
    for (const support::FleetMessage& one : messages) {
        fleet::Message message;
        natsStatus status =
            natsMsg_Create(message.out(), one.subject.c_str(), nullptr, one.body.data(), static_cast<int>(one.body.size()));
        for (const auto& [name, value] : one.headers.texts()) {
            if (status == NATS_OK) status = natsMsgHeader_Set(message.get(), name, value.c_str());
        }
        if (status == NATS_OK) status = js_PublishMsgAsync(jetstream->get(), message.address(), nullptr);
        if (status != NATS_OK) return fleet::nats_error("cannot publish " + one.subject, status);
    }
    jsPubOptions complete;
    jsPubOptions_Init(&complete);
    complete.MaxWait = kAnswerMs;
    const natsStatus status = js_PublishAsyncComplete(jetstream->get(), &complete);
    return status == NATS_OK ? Result<void>() : fleet::nats_error("not everything was acknowledged", status);
}

}  // namespace sla::bench
