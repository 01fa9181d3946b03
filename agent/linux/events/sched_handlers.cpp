// linux.cpu.N: who runs there. linux.thread.NAME: running, runnable, blocked.
#include "agent/linux/events/handler.h"

namespace sla::linux {
namespace {

// prev_state of sched_switch; the kernel's letters for it are R S D T t X Z P I, and + (pre-empted) above them.
constexpr std::uint64_t kInterruptible = 0x01;
constexpr std::uint64_t kUninterruptible = 0x02;
constexpr std::uint64_t kStopped = 0x04 | 0x08;
constexpr std::uint64_t kEnded = 0x10 | 0x20;
constexpr std::uint64_t kIdle = 0x80;
constexpr std::uint64_t kStateBits = 0xff;

const char* state_name(std::uint64_t state) {
    if ((state & ~kStateBits) != 0 || state == 0) return "runnable";
    if ((state & kEnded) != 0) return "ended";
    if ((state & (kInterruptible | kIdle)) != 0) return "blocked";
    if ((state & kUninterruptible) != 0) return "blocked, uninterruptible";
    if ((state & kStopped) != 0) return "stopped";
    return "blocked";
}

void add_text(LaneAccount& account, LaneNumber lane, ThreadNumber thread, std::uint64_t tick, const std::string& text) {
    wire::RowExtra extra;
    extra.text = text;
    account.sink.add_with(lane, thread, tick, SLA_CODE_TEXT, 0, std::move(extra));
}

class Switch final : public Handler {
public:
    Switch(const EventFormat& format, LaneAccount& account)
        : account_(account),
          prev_tid_(*format.find("prev_pid")),
          prev_name_(*format.find("prev_comm")),
          prev_state_(*format.find("prev_state")),
          next_tid_(*format.find("next_pid")),
          next_name_(*format.find("next_comm")) {}

    void take(const Occurrence& at) override {
        const auto prev_tid = static_cast<std::int32_t>(prev_tid_.number(at.record));
        const auto next_tid = static_cast<std::int32_t>(next_tid_.number(at.record));
        const std::uint64_t state = prev_state_.number(at.record);
        if (prev_tid != 0) leave(prev_tid, prev_name_.text(at.record), state, at.tick);
        Task& next = account_.tasks.named(next_tid, next_name_.text(at.record));
        add_text(account_, account_.cpu_lane(at.cpu), account_.tasks.cpu_thread(at.cpu), at.tick, next.label);
        if (next_tid == 0) return;
        next.runs_on = at.cpu;
        add_text(account_, account_.tasks.state_lane(next), next.thread, at.tick, "running");
    }

private:
    void leave(std::int32_t tid, std::string_view name, std::uint64_t state, std::uint64_t tick) {
        Task& task = account_.tasks.named(tid, name);
        task.runs_on = Task::kNowhere;
        add_text(account_, account_.tasks.state_lane(task), task.thread, tick, state_name(state));
        if ((state & kEnded) != 0) account_.tasks.ended(tid);
    }

    LaneAccount& account_;
    Field prev_tid_, prev_name_, prev_state_, next_tid_, next_name_;
};

class Wakeup final : public Handler {
public:
    Wakeup(const EventFormat& format, LaneAccount& account)
        : account_(account), tid_(*format.find("pid")), name_(*format.find("comm")) {}

    void take(const Occurrence& at) override {
        Task& task = account_.tasks.named(static_cast<std::int32_t>(tid_.number(at.record)), name_.text(at.record));
        if (task.runs_on != Task::kNowhere || task.tid == 0) return;  // it was about to sleep, and does not
        add_text(account_, account_.tasks.state_lane(task), task.thread, at.tick, "runnable");
    }

private:
    LaneAccount& account_;
    Field tid_, name_;
};

}  // namespace

HandlerPtr make_sched_handler(const EventFormat& format, LaneAccount& account) {
    if (format.system != "sched") return nullptr;
    if (format.name == "sched_switch" && format.has_all({"prev_pid", "prev_comm", "prev_state", "next_pid", "next_comm"}))
        return std::make_unique<Switch>(format, account);
    const bool wakes = format.name == "sched_wakeup" || format.name == "sched_wakeup_new";
    if (wakes && format.has_all({"pid", "comm"})) return std::make_unique<Wakeup>(format, account);
    return nullptr;
}

}  // namespace sla::linux
