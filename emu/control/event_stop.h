// Stops the guest at an event: a trigger of the agent's language (proto/common/trigger/README.md), looked for in the PC itself,
// on the way of its events to whoever listens. What the agent finds it finds some milliseconds later; here it is the instruction.
//
// Until armed it costs a test or two an event. It sees every channel, whether --hook lets it through or somebody listens, or not. Times
// of a trigger are the guest's. Conditions that wait for a silence are looked at when any event comes.
//
// One thread, the machine's.
#pragma once

#include "emu/bus/clock.h"
#include "emu/tap/sink.h"
#include "proto/base/result.h"
#include "proto/common/trigger/awaited_channels.h"
#include "proto/common/trigger/engine.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::control {

class EventStop final : public tap::Sink {
public:
    // What fired.
    struct Fired {
        std::string channel;
        bus::Nanoseconds time = 0;
    };

    EventStop(tap::Sink& behind, const bus::Clock& clock) : behind_(behind), clock_(clock) {}

    // From now on; `on_fire` is called once, from inside the event, and then it is armed no more.
    Result<void> arm(std::string_view expression, std::function<void()> on_fire);
    void disarm() {
        engine_.reset();
        behind_.ways_changed();
    }
    // For a run that is made again: like arm(), but for each time. Of one event only: what comes of several depends on where one
    // begins to look.
    Result<void> watch(std::string_view expression, std::function<void()> on_fire);
    // What it was armed for is put aside meanwhile, and begins anew afterwards.
    struct Aside {
        std::string text;
        std::function<void()> on_fire;
        bool armed = false;
    };
    [[nodiscard]] Aside put_aside();
    void take_up(Aside aside);
    [[nodiscard]] bool armed() const { return engine_ != nullptr; }
    // "no channel is called 'port.pots' yet (did you mean 'port.post'?); waiting for it"; "" when all that it looks at are
    // there, or none is open at all: before the guest runs.
    [[nodiscard]] std::string awaited() const { return awaited_ && !channels_.empty() ? awaited_->text() : std::string(); }
    // Of the channels that it names those that are not there, with the nearest; "" when all are.
    [[nodiscard]] std::string absent() const;
    // One of the names that it looks at is that one.
    [[nodiscard]] bool names_channel(std::string_view channel) const;
    // It looks at channels of that family, as far as names or patterns say so.
    [[nodiscard]] bool asks_for(std::string_view family) const;
    // Called with awaited() when a channel opens that is nearly called like one that it waits for.
    void on_near(std::function<void(const std::string&)> say) { say_near_ = std::move(say); }
    // What it is armed for, or was.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const Fired& fired() const { return fired_; }

    // Every event goes there too, whoever listens, by the same numbers of channels; null: nowhere.
    void also(tap::Sink* aside) {
        aside_ = aside;
        behind_.ways_changed();
    }
    // What the channels are called that are open, in order of their numbers.
    [[nodiscard]] std::vector<std::string> names() const;
    // Opens there every channel that is open, in order of their numbers.
    void report_channels(tap::Sink& aside) const {
        for (const Channel& channel : channels_) aside.open(channel.name, "");
    }

    // Sink
    tap::ChannelId open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(tap::ChannelId channel) const override {
        return engine_ != nullptr || behind_.listens(channels_[channel].behind) ||
               (aside_ != nullptr && aside_->listens(channel));
    }
    void plain(tap::ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
              std::uint64_t detail1) override;
    void text(tap::ChannelId channel, const std::string& text) override;
    [[nodiscard]] std::optional<sla_channel*> straight(tap::ChannelId channel) const override {
        const bool is_seen = engine_ != nullptr || (aside_ != nullptr && aside_->listens(channel));
        return is_seen ? std::nullopt : behind_.straight(channels_[channel].behind);
    }
    [[nodiscard]] tap::Ways* ways() override { return behind_.ways(); }
    void ways_changed() override { behind_.ways_changed(); }

private:
    // Numbers are our own: behind us channels that nobody wants may share one.
    struct Channel {
        tap::ChannelId behind = 0;
        std::string name;
    };

    void look_at(tap::ChannelId channel, sla_code code, std::uint64_t value);

    tap::Sink& behind_;
    tap::Sink* aside_ = nullptr;
    const bus::Clock& clock_;
    std::vector<Channel> channels_;
    std::unique_ptr<trigger::Engine> engine_;  // while armed
    std::vector<trigger::Name> asked_;         // all that it looks at
    std::optional<trigger::AwaitedChannels> awaited_;
    std::function<void(const std::string&)> say_near_;
    bool hit_ = false;
    bool stays_ = false;  // armed for each time
    std::function<void()> on_fire_;
    std::string text_;
    Fired fired_;
    std::uint64_t last_tick_ = 0;
};

}  // namespace sla::control
