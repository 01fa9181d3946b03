// The machine's tasks as the trace shows them: names, lanes of their own, and what they are in the middle of.
//
// One owner thread. A task is known by its kernel thread id until the trace shows it ended.
#pragma once

#include "agent/linux/events/lane_sink.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sla::linux {

struct Task {
    std::int32_t tid = 0;
    std::string comm;              // the name as the kernel has it
    std::string name;              // fit to be shown
    std::string label;             // "name (tid)"
    ThreadNumber thread = 0;       // for rows
    LaneNumber state_lane = 0;     // linux.thread.NAME; 0: not shown yet
    std::uint32_t state_slot = 0;  // which of the lanes for this name it holds
    static constexpr int kNowhere = -1;
    int runs_on = kNowhere;                  // the CPU, as far as the trace shows
    bool is_ours = false;                    // a thread of this process
    LaneNumber open_syscall = 0;             // the span it is inside of; 0: none
    LaneNumber open_exit = 0;                // of a virtual CPU: the exit it is inside of
    std::vector<LaneNumber> open_functions;  // hooked ones it is inside of, innermost last
    std::string vm;                          // "kvm.NAME-PID" when it was seen to work for a virtual machine
};

class TaskTable {
public:
    // What the trace does not say of a thread; of /proc when left out.
    struct Lookup {
        std::function<std::string(std::int32_t)> name;     // empty: gone
        std::function<std::int32_t(std::int32_t)> leader;  // the process it is of; 0: gone
    };
    explicit TaskTable(LaneSink& sink, Lookup lookup = {});

    Task& task(std::int32_t tid) {
        Task* recent = recent_[place_of(tid)];
        if (recent != nullptr && recent->tid == tid) return *recent;
        return find(tid);
    }
    // The trace gave the name: a task that goes by another one now gets a lane of its own.
    Task& named(std::int32_t tid, std::string_view name);
    // The lane of its states, taken when first asked for.
    LaneNumber state_lane(Task& task);
    void ended(std::int32_t tid);

    // The row's thread of a CPU, for what belongs to no task.
    ThreadNumber cpu_thread(int cpu);

    template <typename Visit>
    void visit(Visit visit) {
        for (auto& [tid, task] : tasks_) visit(task);
    }

private:
    static constexpr std::size_t kRecent = 256;
    static std::size_t place_of(std::int32_t tid) { return static_cast<std::uint32_t>(tid) % kRecent; }
    Task& find(std::int32_t tid);
    void rename(Task& task, std::string_view name);
    void give_lane_back(Task& task);
    [[nodiscard]] bool is_called_as_its_leader(const Task& task) const;

    LaneSink& sink_;
    Lookup lookup_;
    std::unordered_map<std::int32_t, Task> tasks_;
    std::array<Task*, kRecent> recent_{};  // by place_of(tid): the one looked up last; a map's elements stay where they are
    std::map<std::string, std::vector<bool>, std::less<>> slots_;  // by name: which of its lanes are held
    std::size_t state_lanes_ = 0;
    std::vector<ThreadNumber> cpu_threads_;
};

// From /proc; empty, or 0, when the thread is gone.
std::string name_from_proc(std::int32_t tid);
std::int32_t leader_from_proc(std::int32_t tid);

// `name` with what would part lanes into groups, or spoil a line, replaced.
std::string lane_part(std::string_view name);

}  // namespace sla::linux
