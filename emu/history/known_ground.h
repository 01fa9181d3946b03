// Where a run that went back goes over ground that it has been over before: what happens there has been reported, and is
// not reported again. A Sink on the way to who listens; the guest's text and bytes for the outside ask known() as well.
#pragma once

#include "emu/tap/sink.h"

namespace sla::history {

class KnownGround final : public tap::Sink {
public:
    explicit KnownGround(tap::Sink& behind) : behind_(behind) {}

    // Nothing that happens now is new.
    [[nodiscard]] bool known() const { return again_ || behind_the_front_; }
    // A run is made again to find a place: nothing may come in either.
    [[nodiscard]] bool again() const { return again_; }
    void set_again(bool again) {
        again_ = again;
        behind_.ways_changed();
    }
    [[nodiscard]] bool behind_the_front() const { return behind_the_front_; }
    void set_behind_the_front(bool behind) {
        behind_the_front_ = behind;
        behind_.ways_changed();
    }

    // Sink
    tap::ChannelId open(const std::string& name, const char* format) override { return behind_.open(name, format); }
    [[nodiscard]] bool listens(tap::ChannelId channel) const override { return !known() && behind_.listens(channel); }
    void plain(tap::ChannelId channel, sla_code code, std::uint64_t value) override {
        if (!known()) behind_.plain(channel, code, value);
    }
    void wide(tap::ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
              std::uint64_t detail1) override {
        if (!known()) behind_.wide(channel, code, value, detail0, detail1);
    }
    void text(tap::ChannelId channel, const std::string& text) override {
        if (!known()) behind_.text(channel, text);
    }
    [[nodiscard]] std::optional<sla_channel*> straight(tap::ChannelId channel) const override {
        return known() ? std::nullopt : behind_.straight(channel);
    }
    [[nodiscard]] const std::uint64_t* ways() const override { return behind_.ways(); }
    void ways_changed() override { behind_.ways_changed(); }

private:
    tap::Sink& behind_;
    bool again_ = false;
    bool behind_the_front_ = false;
};

}  // namespace sla::history
