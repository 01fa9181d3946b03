#include "viewer/workspace/source/refused_orders.h"

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

std::string state_of(const store::Health& health, const std::string& trigger) {
    const auto found = std::ranges::find(health.triggers, trigger, &store::TriggerInfo::name);
    return found == health.triggers.end() ? std::string() : found->state;
}

}  // namespace

void RefusedOrders::add(std::string trigger, std::string words, const store::Health& health) {
    std::string state = state_of(health, trigger);
    refused_.push_back({std::move(trigger), std::move(words), std::move(state)});
}

std::vector<std::string> RefusedOrders::take_outdated(const store::Health& health) {
    std::vector<std::string> outdated;
    std::erase_if(refused_, [&](Refused& refused) {
        std::string now = state_of(health, refused.trigger);
        if (now == refused.state) return false;
        const bool is_told_of = !now.empty() && refused.words.find(refused.trigger + " is " + now) != std::string::npos;
        refused.state = std::move(now);
        if (!is_told_of) outdated.push_back(std::move(refused.words));
        return !is_told_of;
    });
    return outdated;
}

}  // namespace sla::workspace
