#include "agent/linux/events/task_table.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>

namespace sla::linux {
namespace {

// Numbers names, and nothing else: there are very many.
class NumberingLanes final : public LaneSink {
public:
    LaneNumber lane(const std::string& name, const std::string&) override {
        const auto [at, is_new] = numbers_.try_emplace(name, static_cast<LaneNumber>(numbers_.size() + 1));
        if (is_new) names.push_back(name);
        return at->second;
    }
    ThreadNumber thread(std::uint32_t, const std::string&) override { return 1; }
    void add_with(LaneNumber, ThreadNumber, std::uint64_t, std::uint8_t, std::uint64_t, wire::RowExtra) override {}
    void add_gap(LaneNumber, ThreadNumber, std::uint64_t, std::uint64_t, wire::LossCause, std::uint64_t) override {}
    void notice(const std::string&) override {}

    std::vector<std::string> names;  // by lane number, from 1

private:
    void put(LaneNumber, ThreadNumber, std::uint64_t, std::uint8_t, std::uint64_t) override {}
    std::unordered_map<std::string, LaneNumber> numbers_;
};

TEST(TaskTable, WhenAllTasksAreForgottenTheLanesOfTheirNamesAreFreeAgain) {
    constexpr std::int32_t kNames = 1000;   // that have lanes of their own
    constexpr std::int32_t kTasks = 65536;  // that are known at once
    NumberingLanes sink;
    TaskTable tasks(sink, [](std::int32_t tid) { return "name" + std::to_string(tid % kNames); });
    const auto lane_of = [&](std::int32_t tid) { return sink.names.at(tasks.state_lane(tasks.task(tid)) - 1); };
    for (std::int32_t tid = 1'000'000; tid < 1'000'000 + kNames; tid++) lane_of(tid);
    EXPECT_EQ(sink.names.size(), static_cast<std::size_t>(kNames));
    EXPECT_EQ(lane_of(1'000'000 + kNames), "linux.thread.others");
    for (std::int32_t tid = 2'000'000; tid < 2'000'000 + kTasks; tid++) tasks.task(tid);
    EXPECT_EQ(lane_of(3'000'007), "linux.thread.name7");
    EXPECT_EQ(lane_of(3'000'008), "linux.thread.name8");
}

}  // namespace
}  // namespace sla::linux
