// Rows that the translator puts into their lane itself are the same as those that go through a handler and the sink.
#include "agent/linux/events/translator.h"
#include "tests/unit/agent/linux/formats.h"
#include "tests/unit/agent/linux/page_builder.h"
#include "tests/unit/agent/linux/recording_lanes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace sla::linux {
namespace {

using Row = std::tuple<std::uint64_t, std::uint8_t, std::int64_t, std::string>;  // tick, code, value, thread
using RowsByLane = std::map<std::string, std::vector<Row>>;

// Lends the rows of its lanes, as the agent does, and takes them on when they do not go on.
class LendingLanes final : public LaneSink {
public:
    LaneNumber lane(const std::string& name, const std::string&) override {
        for (std::size_t i = 0; i < names_.size(); i++) {
            if (names_[i] == name) return static_cast<LaneNumber>(i + 1);
        }
        names_.push_back(name);
        lend(waiting_.emplace_back());
        return static_cast<LaneNumber>(names_.size());
    }
    ThreadNumber thread(std::uint32_t, const std::string& name) override {
        threads_.push_back(name);
        return static_cast<ThreadNumber>(threads_.size());
    }
    void add_with(LaneNumber, ThreadNumber, std::uint64_t, std::uint8_t, std::uint64_t, wire::RowExtra) override {}
    void add_gap(LaneNumber, ThreadNumber, std::uint64_t, std::uint64_t, wire::LossCause, std::uint64_t) override {}
    void notice(const std::string&) override {}

    RowsByLane all() {
        for (LaneNumber lane = 1; lane <= names_.size(); lane++) take_on(lane);
        return rows_;
    }
    std::size_t puts = 0;

private:
    void put(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) override {
        puts++;
        take_on(lane);
        waiting_[lane - 1].begin(thread, tick, code, value);
    }
    void take_on(LaneNumber lane) {
        WaitingRows& waiting = waiting_[lane - 1];
        for (std::size_t i = 0; i < waiting.count; i++) {
            rows_[names_[lane - 1]].emplace_back(waiting.columns->ticks[i], waiting.columns->codes[i],
                                                 static_cast<std::int64_t>(waiting.columns->values[i]),
                                                 threads_[waiting.columns->threads[i] - 1]);
        }
        waiting.count = 0;
    }
    std::vector<std::string> names_;
    std::vector<std::string> threads_;
    std::deque<WaitingRows> waiting_;
    RowsByLane rows_;
};

std::vector<std::byte> random_call(std::mt19937& random) {
    const std::int64_t numbers[] = {110, 110, 110, 39, 4095, 4096, 100'000, -1};
    const std::int32_t tids[] = {77, 78, 333, getpid()};  // 77 and 333 share a place in the table of recent tasks
    const std::int64_t number = numbers[random() % std::size(numbers)];
    const std::int32_t tid = tids[random() % std::size(tids)];
    const auto value = static_cast<std::int64_t>(random());
    std::vector<std::byte> data =
        random() % 2 == 0 ? event_data(20, tid, number, value) : event_data(21, tid, number, -value);
    if (random() % 50 == 0) data.resize(random() % data.size());
    return data;
}

TEST(UsualEdge, RowsAreThoseOfTheHandlerWhateverComes) {
    LendingLanes lent;
    RecordingLanes plain;
    const auto name = [](std::int32_t tid) { return "task-" + std::to_string(tid); };
    Translator usual(lent, {name, [](std::int32_t tid) { return tid; }});
    Translator by_handler(plain, {name, [](std::int32_t tid) { return tid; }});
    for (Translator* each : {&usual, &by_handler}) {
        each->add_event(sys_enter());
        each->add_event(sys_exit());
    }
    std::mt19937 random(7);
    std::uint64_t tick = 1000;
    constexpr std::size_t kEvents = 20'000;
    for (std::size_t i = 0; i < kEvents; i++) {
        tick += random() % 3;
        const std::uint64_t late = random() % 100 == 0 ? random() % 500 : 0;
        const std::vector<std::byte> data = random_call(random);
        usual.take(0, TraceRecord{tick - late, data});
        by_handler.take(0, TraceRecord{tick - late, data});
    }
    RowsByLane expected;
    for (const RecordingLanes::Row& row : plain.rows)
        expected[row.lane].emplace_back(row.tick, row.code, row.value, row.thread);
    EXPECT_EQ(lent.all(), expected);
    EXPECT_EQ(usual.events(), by_handler.events());
    EXPECT_LT(lent.puts, kEvents / 10);  // else nothing was usual
}

}  // namespace
}  // namespace sla::linux
