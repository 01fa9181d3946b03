#include "agent/linux/events/handler.h"

#include <algorithm>
#include <utility>

namespace sla::linux {

void open_span(std::vector<LaneNumber>& open, LaneNumber lane) {
    if (open.size() == kMaxOpen) open.erase(open.begin());
    open.push_back(lane);
}

void close_span(std::vector<LaneNumber>& open, LaneNumber lane) {
    auto newest = std::find(open.rbegin(), open.rend(), lane);
    if (newest != open.rend()) open.erase(std::next(newest).base());
}

std::vector<LaneNumber>& LaneAccount::open_on(int cpu) {
    const auto index = static_cast<std::size_t>(std::max(cpu, 0));
    if (open_.size() <= index) open_.resize(index + 1);
    return open_[index];
}

void LaneAccount::begin_on_cpu(LaneNumber lane, const Occurrence& at, std::uint64_t value) {
    open_span(open_on(at.cpu), lane);
    sink.add(lane, tasks.cpu_thread(at.cpu), at.tick, SLA_CODE_BEGIN_VALUE, value);
}

void LaneAccount::end_on_cpu(LaneNumber lane, const Occurrence& at, std::uint64_t value) {
    close_span(open_on(at.cpu), lane);
    sink.add(lane, tasks.cpu_thread(at.cpu), at.tick, SLA_CODE_END_VALUE, value);
}

LaneNumber LaneAccount::cpu_lane(int cpu) {
    const auto index = static_cast<std::size_t>(std::max(cpu, 0));
    if (cpu_lanes_.size() <= index) cpu_lanes_.resize(index + 1);
    if (cpu_lanes_[index] == 0) cpu_lanes_[index] = sink.lane("linux.cpu." + std::to_string(index), "");
    return cpu_lanes_[index];
}

void LaneAccount::cut(int cpu, std::uint64_t tick, std::uint64_t until_tick) {
    for (const LaneNumber lane : open_on(cpu))
        sink.add_gap(lane, tasks.cpu_thread(cpu), tick, until_tick, wire::LossCause::kOverrun, 0);
    open_on(cpu).clear();
    const auto cut_task = [&](LaneNumber lane, const Task& task) {
        if (lane != 0) sink.add_gap(lane, task.thread, tick, until_tick, wire::LossCause::kOverrun, 0);
    };
    tasks.visit([&](Task& task) {
        cut_task(std::exchange(task.open_syscall, 0), task);
        cut_task(std::exchange(task.open_exit, 0), task);
        for (const LaneNumber lane : task.open_functions) cut_task(lane, task);
        task.open_functions.clear();
        if (task.runs_on != cpu) return;
        task.runs_on = Task::kNowhere;  // as far as is known: its next wake-up is news
        cut_task(task.state_lane, task);
    });
}

}  // namespace sla::linux
