// A LaneSink that writes everything down.
#pragma once

#include "agent/linux/events/lane_sink.h"

#include <string>
#include <vector>

namespace sla::linux {

class RecordingLanes final : public LaneSink {
public:
    struct Row {
        std::string lane;
        std::string thread;
        std::uint64_t tick;
        std::uint8_t code;
        std::int64_t value;
        wire::RowExtra extra;
    };

    LaneNumber lane(const std::string& name, const std::string&) override { return number_of(lanes_, name); }
    ThreadNumber thread(std::uint32_t, const std::string& name) override { return number_of(threads_, name); }
    void add_with(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                  wire::RowExtra extra) override {
        rows.push_back({lanes_.at(lane - 1), threads_.at(thread - 1), tick, code, static_cast<std::int64_t>(value), extra});
    }
    void add_gap(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick, wire::LossCause cause,
                 std::uint64_t count) override {
        wire::RowExtra extra;
        extra.cause = cause;
        extra.until_tick = until_tick;
        add_with(lane, thread, tick, SLA_CODE_GAP, count, extra);
    }
    void notice(const std::string& text) override { notices.push_back(text); }

    std::vector<Row> rows;
    std::vector<std::string> notices;

private:
    void put(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) override {
        add_with(lane, thread, tick, code, value, {});
    }
    static std::uint32_t number_of(std::vector<std::string>& names, const std::string& name) {
        for (std::size_t i = 0; i < names.size(); i++) {
            if (names[i] == name) return static_cast<std::uint32_t>(i + 1);
        }
        names.push_back(name);
        return static_cast<std::uint32_t>(names.size());
    }
    std::vector<std::string> lanes_;
    std::vector<std::string> threads_;
};

}  // namespace sla::linux
