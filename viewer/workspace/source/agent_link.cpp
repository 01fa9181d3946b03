#include "viewer/workspace/source/agent_link.h"

#include "proto/wire/control.pb.h"
#include "viewer/ingest/request.h"

#include <deque>
#include <string_view>
#include <utility>

namespace sla::workspace {

namespace {

// A name as a pattern that means only it.
std::string exactly(const std::string& name) {
    std::string out;
    for (const char c : name) {
        if (std::string_view("*?[]\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

struct AgentLink::Waiting {
    std::deque<wire::Request> requests;
};

AgentLink::AgentLink(std::optional<wire::Address> address)
    : address_(std::move(address)), waiting_(std::make_unique<Waiting>()) {}

AgentLink::~AgentLink() = default;  // waits for a request under way, bounded by its own time limit

bool AgentLink::busy() const {
    return answer_ != nullptr || !waiting_->requests.empty();
}

void AgentLink::send(const wire::Request& request) {
    if (!address_) return;
    waiting_->requests.push_back(request);
    start_next();
}

void AgentLink::start_next() {
    if (answer_ != nullptr || waiting_->requests.empty()) return;
    answer_ = std::make_shared<Result<void>>(unavailable("there is not enough memory to ask the agent"));
    asked_of_ = waiting_->requests.front().control_trigger().name();
    running_ = runner_.start("asking the agent",
                             [address = *address_, request = std::move(waiting_->requests.front()), answer = answer_](
                                 JobRunner::Control& /*control*/) { *answer = ingest::send_request(address, request); });
    waiting_->requests.pop_front();
}

std::optional<Result<void>> AgentLink::poll(const store::Health& health) {
    if (answer_ == nullptr || running_.is_running()) return std::nullopt;
    const Result<void> answer = *std::exchange(answer_, nullptr);
    const bool is_refused = !answer && answer.error().code == ErrorCode::kInvalidInput;
    if (is_refused && !asked_of_.empty()) refused_.add(asked_of_, answer.error().message, health);
    start_next();
    return answer;
}

void AgentLink::control_trigger(const std::string& name, TriggerOrder order) {
    static constexpr wire::ControlTrigger::What kWhat[] = {wire::ControlTrigger::ARM, wire::ControlTrigger::STOP,
                                                           wire::ControlTrigger::FIRE, wire::ControlTrigger::REMOVE};
    wire::Request request;
    request.mutable_control_trigger()->set_name(name);
    request.mutable_control_trigger()->set_what(kWhat[static_cast<std::size_t>(order)]);
    send(request);
}

void AgentLink::switch_channel(const std::string& name, bool on) {
    wire::Request request;
    request.mutable_set_channels()->add_channels(exactly(name));
    request.mutable_set_channels()->set_enabled(on);
    send(request);
}

void AgentLink::set_channel(const std::string& name, const wire::Filter* filter, std::optional<std::int64_t> keep_ns) {
    wire::Request request;
    wire::SetChannels& set = *request.mutable_set_channels();
    set.add_channels(exactly(name));
    if (filter != nullptr) *set.mutable_filter() = *filter;
    if (keep_ns) set.set_keep_ns(*keep_ns);
    send(request);
}

}  // namespace sla::workspace
