// A sink for the Linux host's rows that counts what is lost and lets the rest go, at the price the agent's own takes.
#pragma once

#include "agent/linux/events/lane_sink.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::bench {

class CountingSink final : public linux::LaneSink {
public:
    linux::LaneNumber lane(const std::string&, const std::string&) override {
        rows_.push_back(std::make_unique<linux::WaitingRows>());
        lend(*rows_.back());
        return static_cast<linux::LaneNumber>(rows_.size());
    }
    linux::ThreadNumber thread(std::uint32_t, const std::string&) override { return ++threads_; }
    void add_with(linux::LaneNumber, linux::ThreadNumber, std::uint64_t, std::uint8_t, std::uint64_t,
                  wire::RowExtra) override {}
    void add_gap(linux::LaneNumber, linux::ThreadNumber, std::uint64_t, std::uint64_t, wire::LossCause,
                 std::uint64_t count) override {
        lost += count;
    }
    void notice(const std::string&) override {}
    std::uint64_t lost = 0;

private:
    void put(linux::LaneNumber lane, linux::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
             std::uint64_t value) override {
        rows_[lane - 1]->begin(thread, tick, code, value);
    }
    std::vector<std::unique_ptr<linux::WaitingRows>> rows_;
    linux::ThreadNumber threads_ = 0;
};

}  // namespace sla::bench
