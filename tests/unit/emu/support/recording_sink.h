// A tap sink that keeps every event, with the machine's time, for tests to count and compare.
#pragma once

#include "emu/bus/clock.h"
#include "emu/tap/sink.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace sla::tap {

class RecordingSink : public Sink {
public:
    struct Event {
        std::string channel;
        sla_code code = SLA_CODE_NONE;
        std::uint64_t value = 0;
        std::uint64_t detail[2] = {0, 0};
        bus::Nanoseconds time = 0;
        bool wide = false;
        std::string text;
    };

    explicit RecordingSink(const bus::Clock* clock = nullptr) : clock_(clock) {}

    ChannelId open(const std::string& name, const char* format) override {
        names_.push_back(name);
        formats[name] = format;
        return static_cast<ChannelId>(names_.size() - 1);
    }
    [[nodiscard]] bool listens(ChannelId) const override { return true; }
    void plain(ChannelId channel, sla_code code, std::uint64_t value) override {
        events.push_back({names_[channel], code, value, {0, 0}, now(), false, {}});
    }
    void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override {
        events.push_back({names_[channel], code, value, {detail0, detail1}, now(), true, {}});
    }

    void text(ChannelId channel, const std::string& text) override {
        events.push_back({names_[channel], SLA_CODE_TEXT, 0, {0, 0}, now(), false, text});
    }

    [[nodiscard]] std::vector<Event> of(const std::string& channel) const {
        std::vector<Event> found;
        std::copy_if(events.begin(), events.end(), std::back_inserter(found),
                     [&](const Event& event) { return event.channel == channel; });
        return found;
    }
    [[nodiscard]] std::size_t count(const std::string& channel, sla_code code) const {
        return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& event) {
            return event.channel == channel && event.code == code;
        }));
    }

    std::vector<Event> events;
    std::map<std::string, std::string> formats;

private:
    [[nodiscard]] bus::Nanoseconds now() const { return clock_ == nullptr ? 0 : clock_->now(); }

    const bus::Clock* clock_;
    std::vector<std::string> names_;
};

inline std::vector<std::uint64_t> values(const std::vector<RecordingSink::Event>& events) {
    std::vector<std::uint64_t> out;
    for (const auto& event : events) out.push_back(event.value);
    return out;
}

inline std::vector<std::string> texts(const std::vector<RecordingSink::Event>& events) {
    std::vector<std::string> out;
    for (const auto& event : events) out.push_back(event.text);
    return out;
}

}  // namespace sla::tap
