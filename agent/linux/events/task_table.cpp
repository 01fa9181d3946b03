#include "agent/linux/events/task_table.h"

#include "proto/base/control_characters.h"
#include "proto/base/text.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace sla::linux {
namespace {

constexpr std::size_t kMaxStateLanes = 1000;
constexpr std::size_t kMaxTasks = 65536;  // known at once; without sched events nothing reports who ended

}  // namespace

std::string name_from_proc(std::int32_t tid) {
    std::ifstream in("/proc/" + std::to_string(tid) + "/comm");
    std::string name;
    std::getline(in, name);
    return name;
}

std::int32_t leader_from_proc(std::int32_t tid) {
    constexpr std::string_view kLeader = "Tgid:";
    std::ifstream in("/proc/" + std::to_string(tid) + "/status");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(kLeader))
            return whole_number<std::int32_t>(trimmed(std::string_view(line).substr(kLeader.size()))).value_or(0);
    }
    return 0;
}

std::string lane_part(std::string_view name) {
    std::string part(name.empty() ? "unknown" : name);
    for (char& c : part) {
        if (c == '.' || static_cast<unsigned char>(c) <= ' ' || c == ',') c = '_';
    }
    return part;
}

TaskTable::TaskTable(LaneSink& sink, Lookup lookup) : sink_(sink), lookup_(std::move(lookup)) {
    if (!lookup_.name) lookup_.name = name_from_proc;
    if (!lookup_.leader) lookup_.leader = leader_from_proc;
}

Task& TaskTable::find(std::int32_t tid) {
    auto found = tasks_.find(tid);
    if (found == tasks_.end()) {
        if (tasks_.size() >= kMaxTasks) {
            for (const auto& [id, task] : tasks_) sink_.release_thread(task.thread);
            tasks_.clear();
            recent_.fill(nullptr);
            for (auto& [name, held] : slots_) held.assign(held.size(), false);
        }
        Task& fresh = tasks_[tid];
        fresh.tid = tid;
        fresh.is_ours = tid != 0 && ::access(("/proc/self/task/" + std::to_string(tid)).c_str(), F_OK) == 0;
        const std::string name = tid == 0 ? "idle" : lookup_.name(tid);
        rename(fresh, name.empty() ? "task-" + std::to_string(tid) : name);
        recent_[place_of(tid)] = &fresh;
        return fresh;
    }
    recent_[place_of(tid)] = &found->second;
    return found->second;
}

void TaskTable::rename(Task& task, std::string_view name) {
    give_lane_back(task);
    if (task.thread != 0) sink_.release_thread(task.thread);
    task.comm = name;
    task.name = without_control(task.comm, '?');
    task.label = task.tid == 0 ? "idle" : task.name + " (" + std::to_string(task.tid) + ")";
    task.thread = sink_.thread(static_cast<std::uint32_t>(task.tid), task.name);
}

Task& TaskTable::named(std::int32_t tid, std::string_view name) {
    Task& known = task(tid);
    if (known.comm != name && tid != 0 && !name.empty()) rename(known, name);
    return known;
}

void TaskTable::give_lane_back(Task& task) {
    if (task.state_lane == 0) return;
    slots_[task.name][task.state_slot] = false;
    task.state_lane = 0;
}

// A thread that has given itself no name goes by its program's, as each does that a library starts, until it says otherwise. The
// trace may know the program by the name of what it was before exec.
bool TaskTable::is_called_as_its_leader(const Task& task) const {
    const std::int32_t leader = lookup_.leader(task.tid);
    if (leader == 0 || leader == task.tid) return false;
    const auto known = tasks_.find(leader);
    return (known != tasks_.end() && known->second.comm == task.comm) || lookup_.name(leader) == task.comm;
}

// The program's name alone is its main thread's lane, whichever of its threads is seen first.
LaneNumber TaskTable::state_lane(Task& task) {
    if (task.state_lane != 0) return task.state_lane;
    if (state_lanes_ == kMaxStateLanes && !slots_.contains(task.name)) return sink_.lane("linux.thread.others", "");
    std::vector<bool>& held = slots_[task.name];
    const std::size_t first = is_called_as_its_leader(task) ? 1 : 0;
    if (held.size() < first) {
        state_lanes_++;
        held.push_back(false);
    }
    auto free = std::find(held.begin() + static_cast<std::ptrdiff_t>(first), held.end(), false);
    std::string name = "linux.thread." + lane_part(task.name);
    if (free == held.end()) {
        if (state_lanes_ == kMaxStateLanes) return sink_.lane("linux.thread.others", "");
        state_lanes_++;
        held.push_back(true);
        free = held.end() - 1;
    }
    *free = true;
    task.state_slot = static_cast<std::uint32_t>(free - held.begin());
    if (task.state_slot > 0) name += ":" + std::to_string(task.state_slot + 1);
    task.state_lane = sink_.lane(name, "");
    return task.state_lane;
}

void TaskTable::ended(std::int32_t tid) {
    auto found = tasks_.find(tid);
    if (found == tasks_.end() || tid == 0) return;
    give_lane_back(found->second);
    sink_.release_thread(found->second.thread);
    Task*& recent = recent_[place_of(tid)];
    if (recent == &found->second) recent = nullptr;
    tasks_.erase(found);
}

ThreadNumber TaskTable::cpu_thread(int cpu) {
    const auto index = static_cast<std::size_t>(std::max(cpu, 0));
    if (cpu_threads_.size() <= index) cpu_threads_.resize(index + 1);
    if (cpu_threads_[index] == 0) cpu_threads_[index] = sink_.thread(0, "cpu " + std::to_string(index));
    return cpu_threads_[index];
}

}  // namespace sla::linux
