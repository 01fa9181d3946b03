#include "emu/control/event_stop.h"

#include "emu/tap/selection.h"
#include "proto/base/check.h"
#include "proto/common/nearest.h"
#include "proto/common/trigger/doubts.h"
#include "proto/common/trigger/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace sla::control {

namespace {

// Events of one instant are a tick apart, so that they keep their order.
constexpr std::uint64_t kTicksPerNanosecond = 1000;
constexpr double kTicksPerSecond = 1e12;
constexpr std::uint32_t kThread = 0;

// Whether a row fulfils it is known from that row alone.
bool is_of_one_event(const trigger::Condition& condition) {
    using Kind = trigger::Condition::Kind;
    switch (condition.kind) {
        case Kind::kAny:
        case Kind::kBegins:
        case Kind::kEnds:
        case Kind::kCompare:
        case Kind::kInside: return true;
        case Kind::kAnd:
        case Kind::kOr: return std::all_of(condition.parts.begin(), condition.parts.end(), is_of_one_event);
        default: return false;
    }
}

}  // namespace

Result<void> EventStop::arm(std::string_view expression, std::function<void()> on_fire) {
    auto parsed = trigger::parse_expression(expression);
    if (!parsed) return parsed.error();
    hit_ = stays_ = false;
    last_tick_ = 0;
    const trigger::Trigger wanted(std::move(parsed).value());
    engine_ = std::make_unique<trigger::Engine>(wanted, kTicksPerSecond, [this](const trigger::Hit& hit) {
        hit_ = hit_ || hit.certain;
        return std::uint64_t{0};
    });
    asked_ = trigger::channels_of(wanted);
    awaited_.emplace(wanted);
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        engine_->add_channel(ChannelId{static_cast<std::uint32_t>(i)}, channels_[i].name);
        awaited_->came(channels_[i].name);
    }
    on_fire_ = std::move(on_fire);
    text_ = expression;
    behind_.ways_changed();
    return {};
}

Result<void> EventStop::watch(std::string_view expression, std::function<void()> on_fire) {
    auto parsed = trigger::parse_expression(expression);
    if (!parsed) return parsed.error();
    const auto& stages = parsed->stages;
    if (stages.size() != 1 || stages[0].count != 1 || stages[0].within_ps || !is_of_one_event(stages[0].condition)) {
        return invalid_input(
            fmt::format("\"{}\" is about more than one event; one can be gone back to, such as port.post, "
                        "irq.0.isr begins, irq.1 == 1",
                        expression));
    }
    if (auto armed = arm(expression, std::move(on_fire)); !armed) return armed;
    stays_ = true;
    return {};
}

std::vector<std::string> EventStop::names() const {
    std::vector<std::string> there;
    for (const Channel& channel : channels_) there.push_back(channel.name);
    return there;
}

std::string EventStop::absent() const {
    const std::vector<std::string> there = names();
    std::string text;
    for (const trigger::Name& name : asked_) {
        if (trigger::is_there(name, there)) continue;
        text += (text.empty() ? "" : "; ") + trigger::absence_of(name, common::nearest(name.text, there));
    }
    return text;
}

bool EventStop::names_channel(std::string_view channel) const {
    return std::any_of(asked_.begin(), asked_.end(), [channel](const trigger::Name& name) { return name.text == channel; });
}

bool EventStop::asks_for(std::string_view family) const {
    return std::any_of(asked_.begin(), asked_.end(),
                       [family](const trigger::Name& name) { return tap::asks_for_family(name.text, family); });
}

EventStop::Aside EventStop::put_aside() {
    Aside aside{text_, std::move(on_fire_), armed()};
    disarm();
    return aside;
}

void EventStop::take_up(Aside aside) {
    disarm();
    text_ = aside.text;
    if (aside.armed) SLA_CHECK(arm(aside.text, std::move(aside.on_fire)).ok());
}

tap::ChannelId EventStop::open(const std::string& name, const char* format) {
    channels_.push_back({behind_.open(name, format), name});
    const auto number = static_cast<tap::ChannelId>(channels_.size() - 1);
    if (engine_) engine_->add_channel(ChannelId{number}, name);
    if (engine_ && awaited_->came(name) && say_near_) say_near_(awaited());
    if (aside_ != nullptr) aside_->open(name, format);
    return number;
}

void EventStop::look_at(tap::ChannelId channel, sla_code code, std::uint64_t value) {
    const std::uint64_t now = static_cast<std::uint64_t>(clock_.now()) * kTicksPerNanosecond;
    last_tick_ = std::max(now, last_tick_ + 1);
    const auto byte = static_cast<std::uint8_t>(code);
    const trigger::Rows row{ChannelId{channel}, std::span(&last_tick_, 1), std::span(&byte, 1), std::span(&value, 1),
                            std::span(&kThread, 1)};
    const bool wanted = engine_->wants(ChannelId{channel});
    engine_->feed(std::span(&row, wanted ? 1 : 0), last_tick_ + 1);
    if (!hit_) return;
    if (stays_) {
        hit_ = false;
        return on_fire_();
    }
    fired_ = {channels_[channel].name, clock_.now()};
    disarm();
    const auto on_fire = std::exchange(on_fire_, nullptr);
    on_fire();
}

void EventStop::plain(tap::ChannelId channel, sla_code code, std::uint64_t value) {
    if (behind_.listens(channels_[channel].behind)) behind_.plain(channels_[channel].behind, code, value);
    if (aside_ != nullptr) aside_->plain(channel, code, value);
    if (engine_) look_at(channel, code, value);
}

void EventStop::wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
                     std::uint64_t detail1) {
    if (behind_.listens(channels_[channel].behind)) behind_.wide(channels_[channel].behind, code, value, detail0, detail1);
    if (aside_ != nullptr) aside_->wide(channel, code, value, detail0, detail1);
    if (engine_) look_at(channel, code, value);
}

void EventStop::text(tap::ChannelId channel, const std::string& text) {
    if (behind_.listens(channels_[channel].behind)) behind_.text(channels_[channel].behind, text);
    if (engine_) look_at(channel, SLA_CODE_TEXT, 0);
}

}  // namespace sla::control
