// Triggers over a made-up merged stream, and what they do; 1 tick is 1 ns.
#pragma once

#include "agent/shots/trigger_watch.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/trigger_state.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sla::shots {

inline constexpr double kHz = 1e9;

class Watch : public testing::Test {
protected:
    Watch() {
        watch_.add_channel(ChannelId{0}, "a");
        watch_.add_channel(ChannelId{1}, "b");
    }
    std::string set(const std::string& expression, std::int64_t pre_ns, std::int64_t post_ns, std::uint64_t shots = 0,
                    std::int64_t hold_off_ns = 0, std::vector<std::string> actions = {}) {
        wire::SetTrigger request;
        request.set_expression(expression);
        request.set_pre_ns(pre_ns);
        request.set_post_ns(post_ns);
        request.set_shots(shots);
        request.set_hold_off_ns(hold_off_ns);
        for (const std::string& action : actions) request.add_actions(action);
        return watch_.set(request, true, now_, kHz);
    }
    // Rows of a, then time goes on to the watermark.
    void step(const std::vector<std::uint64_t>& ticks, std::uint64_t watermark) {
        wire::EventBatch batch;
        batch.channel = ChannelId{0};
        batch.add(1, SLA_CODE_TICK, 0, 1);  // was there before
        for (const std::uint64_t tick : ticks) batch.add(tick, SLA_CODE_TICK, 0, 1);
        if (watch_.wants(batch.channel)) watch_.take(batch, 1);
        watch_.advance(watermark);
        now_ = watermark;
    }
    std::string control(wire::ControlTrigger::What what, const std::string& name = "") {
        wire::ControlTrigger request;
        request.set_what(what);
        request.set_name(name);
        return watch_.control(request, now_);
    }
    wire::TriggerStatus status() {
        wire::Status status;
        watch_.fill(status);
        return status.triggers_size() > 0 ? status.triggers(0) : wire::TriggerStatus();
    }
    std::string state() { return wire::trigger_state_name(status().state()); }
    std::vector<std::uint64_t> fired() const {
        std::vector<std::uint64_t> ticks;
        for (const wire::Shot& shot : shots_) ticks.push_back(shot.tick());
        return ticks;
    }

    std::vector<wire::Shot> shots_;
    std::vector<std::string> notices_;
    std::vector<ShotOrder> orders_;
    std::uint64_t now_ = 1000;
    TriggerWatch watch_{Hooks{[this](const wire::Shot& shot) { shots_.push_back(shot); },
                              [this](const std::string& text) { notices_.push_back(text); },
                              [this](ShotOrder order) { orders_.push_back(std::move(order)); }}};
};

}  // namespace sla::shots
