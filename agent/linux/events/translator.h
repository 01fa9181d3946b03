// Kernel events in time order become rows of lanes: a Handler by event id, the losses of each CPU in their place.
//
// Losses stand on linux.cpu.N, exactly counted; a page that lost some but found no space for their number is settled
// from the kernel's own count as soon as everything has been read (settle).
#pragma once

#include "agent/linux/events/handler.h"
#include "agent/linux/tracefs/cpu_reader.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace sla::linux {

class Translator {
public:
    explicit Translator(LaneSink& sink, TaskTable::Lookup lookup = {}) : account_(sink, std::move(lookup)) {}

    void add_event(const EventFormat& format);
    // Events of this format are a hook in a program's function.
    void add_function(const EventFormat& format, const std::string& lane, ProbeEdge edge);
    // An event.
    void take(int cpu, TraceRecord record) {
        if (record.data.size() < kCommonBytes) return;  // not an event: the ring's own filler
        const std::uint64_t common = word(record, 0);
        const auto type = static_cast<std::uint16_t>(common);
        const auto tid = static_cast<std::int32_t>(common >> kTidBit);
        if (type >= by_type_.size()) return;
        const Entry& entry = by_type_[type];
        if (!take_usual(entry.usual, tid, record)) take_by_handler(entry, cpu, tid, record);
    }
    // Whatever else the trace reports.
    void take(int cpu, const TraceItem& item);
    // How many losses of a CPU no page gave a number for, ever; reported when nothing of that CPU is unread.
    void settle(int cpu, std::uint64_t pending, std::uint64_t tick);

    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }

private:
    // common_type, common_flags, common_preempt_count, common_pid: the same in every event.
    static constexpr std::size_t kCommonBytes = 8;
    static constexpr unsigned kTidBit = 32;

    // What becomes of one event id. What our own threads do is left out, but not what happens to the machine meanwhile.
    // (The kernel's set_event_notrace_pid would hide that too: interrupts while we run, switches from us to others.)
    struct Entry {
        HandlerPtr handler;
        UsualEdge usual;  // only of a task
        bool is_of_a_task = false;
    };
    Entry& entry_of(const EventFormat& format);
    // Some 40 instructions, no call.
    bool take_usual(const UsualEdge& edge, std::int32_t tid, TraceRecord record) {
        if (record.data.size() < edge.needs) return false;
        const std::uint64_t number = word(record, edge.number_at);
        if (number >= edge.by_number.size()) return false;
        const UsualEdge::Lane& lane = edge.by_number[number];
        if (lane.rows == nullptr) return false;
        Task& task = account_.tasks.task(tid);
        if (task.is_ours) return true;
        events_++;
        task.open_syscall = lane.number & edge.opens;
        const std::uint64_t value = word(record, edge.value_at);
        if (!lane.rows->add(task.thread, record.tick, edge.code, value))
            account_.sink.add(lane.number, task.thread, record.tick, edge.code, value);
        return true;
    }
    void take_by_handler(const Entry& entry, int cpu, std::int32_t tid, TraceRecord record);
    static std::uint64_t word(const TraceRecord& record, std::size_t offset) {
        std::uint64_t value = 0;
        std::memcpy(&value, record.data.data() + offset, sizeof value);
        return value;
    }
    void take_loss(int cpu, const TraceItem& item);
    void account_gap(int cpu, std::uint64_t tick, std::uint64_t until_tick, std::uint64_t count);

    LaneAccount account_;
    std::vector<Entry> entries_;          // by event id
    std::span<const Entry> by_type_;      // the same: a span's size is at hand
    std::vector<std::uint64_t> settled_;  // by CPU
    std::uint64_t events_ = 0;
    std::uint64_t lost_ = 0;
    bool reported_damage_ = false;
    bool reported_loss_ = false;
};

}  // namespace sla::linux
