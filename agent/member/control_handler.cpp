#include "agent/member/control_handler.h"

#include "proto/wire/frame_codec.h"
#include "proto/wire/utf8.h"

#include <utility>

namespace sla::member {
namespace {

std::string answer_of(const std::string& host, const std::string& error) {
    fleet::ControlAnswer answer;
    answer.set_host(host);
    answer.set_error(wire::to_utf8(error, fleet::kMaxTextBytes));
    return answer.SerializeAsString();
}

}  // namespace

// Why it is not passed on; empty: it may be.
std::string ControlHandler::refusal(std::string_view body, wire::Request& request) const {
    if (may_ != fleet::Control::kAll)
        return "this agent takes no orders from its fleet: start it with --fleet-control all, or ask on its own machine";
    if (body.size() > fleet::kMaxControlBytes || !wire::parse_message(body, request)) return "a request that cannot be read";
    switch (request.body_case()) {
        case wire::Request::kSetChannels:
        case wire::Request::kSetRetention:
        case wire::Request::kSetTrigger:
        case wire::Request::kControlTrigger: return "";
        default: return "only switches, filters, limits and triggers are taken from the fleet";
    }
}

void ControlHandler::on_message(const fleet::Received& message) {
    if (message.reply.empty()) return;  // whoever orders must be able to learn what became of it
    wire::Request request;
    std::string why = refusal(message.body, request);
    if (why.empty()) {
        std::lock_guard lock(box_->mutex);
        if (box_->under_way == kMaxAtOnce) {
            why = "64 requests are under way here: ask again";
        } else {
            box_->under_way++;
        }
    }
    if (!why.empty()) {
        std::string body = answer_of(host_, why);
        std::lock_guard lock(box_->mutex);
        if (box_->answers.size() < kMaxWaiting) box_->answers.push_back({std::string(message.reply), std::move(body)});
        return;
    }
    auto answered = [box = box_, to = std::string(message.reply), host = host_](const std::string& error) {
        std::string body = answer_of(host, error);
        std::lock_guard lock(box->mutex);
        box->answers.push_back({to, std::move(body)});
        box->under_way--;
    };
    apply_(std::move(request), std::move(answered));
}

std::vector<ControlHandler::Reply> ControlHandler::take_answers() {
    std::lock_guard lock(box_->mutex);
    return std::exchange(box_->answers, {});
}

}  // namespace sla::member
