#include "agent/linux/events/task_table.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <future>
#include <string>
#include <thread>
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
    ThreadNumber thread(std::uint32_t, const std::string&) override {
        named++;
        return 1;
    }
    void add_with(LaneNumber, ThreadNumber, std::uint64_t, std::uint8_t, std::uint64_t, wire::RowExtra) override {}
    void add_gap(LaneNumber, ThreadNumber, std::uint64_t, std::uint64_t, wire::LossCause, std::uint64_t) override {}
    void notice(const std::string&) override {}

    std::vector<std::string> names;  // by lane number, from 1
    int named = 0;                   // threads

private:
    void put(LaneNumber, ThreadNumber, std::uint64_t, std::uint8_t, std::uint64_t) override {}
    std::unordered_map<std::string, LaneNumber> numbers_;
};

std::int32_t of_itself(std::int32_t tid) {
    return tid;
}

TEST(TaskTable, WhenAllTasksAreForgottenTheLanesOfTheirNamesAreFreeAgain) {
    constexpr std::int32_t kNames = 1000;   // that have lanes of their own
    constexpr std::int32_t kTasks = 65536;  // that are known at once
    NumberingLanes sink;
    TaskTable tasks(sink, {[](std::int32_t tid) { return "name" + std::to_string(tid % kNames); }, of_itself});
    const auto lane_of = [&](std::int32_t tid) { return sink.names.at(tasks.state_lane(tasks.task(tid)) - 1); };
    for (std::int32_t tid = 1'000'000; tid < 1'000'000 + kNames; tid++) lane_of(tid);
    EXPECT_EQ(sink.names.size(), static_cast<std::size_t>(kNames));
    EXPECT_EQ(lane_of(1'000'000 + kNames), "linux.thread.others");
    for (std::int32_t tid = 2'000'000; tid < 2'000'000 + kTasks; tid++) tasks.task(tid);
    EXPECT_EQ(lane_of(3'000'007), "linux.thread.name7");
    EXPECT_EQ(lane_of(3'000'008), "linux.thread.name8");
}

// The thread of a library is seen before the program's own, under the program's name, and names itself later.
TEST(TaskTable, TheLaneOfAProgramsNameIsItsMainThreads) {
    NumberingLanes sink;
    TaskTable tasks(sink, {[](std::int32_t tid) { return tid == 12 ? "worker" : "slow"; },
                           [](std::int32_t tid) { return tid < 20 ? 10 : 20; }});
    const auto lane_of = [&](Task& task) { return sink.names.at(tasks.state_lane(task) - 1); };
    tasks.named(10, "shell");  // before exec
    EXPECT_EQ(lane_of(tasks.task(11)), "linux.thread.slow:2");
    EXPECT_EQ(lane_of(tasks.task(12)), "linux.thread.worker") << "it has a name of its own";
    EXPECT_EQ(lane_of(tasks.named(10, "slow")), "linux.thread.slow");
    EXPECT_EQ(lane_of(tasks.named(11, "library")), "linux.thread.library");
    EXPECT_EQ(lane_of(tasks.task(20)), "linux.thread.slow:2") << "another program's main thread, where the first lives";
    EXPECT_EQ(lane_of(tasks.task(13)), "linux.thread.slow:3");
    tasks.ended(10);
    EXPECT_EQ(lane_of(tasks.task(14)), "linux.thread.slow:4");
    EXPECT_EQ(lane_of(tasks.named(12, "slow")), "linux.thread.slow:5");
}

TEST(TaskTable, ANameThatWouldSteerATerminalIsShownWithoutThat) {
    NumberingLanes sink;
    const std::string comm = "x\x1b[31mFORGED";
    TaskTable tasks(sink, {[&](std::int32_t) { return comm; }, [](std::int32_t) { return 10; }});
    const Task& task = tasks.task(11);
    EXPECT_EQ(task.name, "x?[31mFORGED");
    EXPECT_EQ(task.label, "x?[31mFORGED (11)");
    EXPECT_EQ(sink.named, 1);
    tasks.named(11, comm);
    EXPECT_EQ(sink.named, 1) << "it is called so already";
    EXPECT_EQ(sink.names.at(tasks.state_lane(tasks.task(11)) - 1), "linux.thread.x?[31mFORGED:2") << "as its leader is";
}

TEST(TaskTable, AThreadsLeaderIsOfProc) {
    EXPECT_EQ(leader_from_proc(::getpid()), ::getpid());
    std::promise<std::int32_t> told;
    std::promise<void> asked;
    std::thread other([&] {
        told.set_value(::gettid());
        asked.get_future().wait();
    });
    const std::int32_t tid = told.get_future().get();
    EXPECT_NE(tid, ::getpid());
    EXPECT_EQ(leader_from_proc(tid), ::getpid());
    asked.set_value();
    other.join();
    EXPECT_EQ(leader_from_proc(-1), 0);
}

}  // namespace
}  // namespace sla::linux
