// Kernel events in time order become rows of lanes: a Handler by event id, the losses of each CPU in their place.
//
// Losses stand on linux.cpu.N, exactly counted; a page that lost some but found no room for their number is settled from the
// kernel's own count as soon as everything has been read (settle).
#pragma once

#include "agent/source/linux/cpu_reader.h"
#include "agent/source/linux/handler.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace sla::source {

class Translator {
public:
    explicit Translator(LaneSink& sink) : book_(sink) {}
    Translator(LaneSink& sink, std::function<std::string(std::int32_t)> read_name) : book_(sink, std::move(read_name)) {}

    void add_event(const EventFormat& format);
    // Events of this format are a hook in a program's function.
    void add_function(const EventFormat& format, const std::string& lane, ProbeEdge edge);
    void take(int cpu, const TraceItem& item) {
        if (item.kind == TraceItem::Kind::kEvent) return take_event(cpu, item.record);
        take_unusual(cpu, item);
    }
    // How many losses of a CPU no page gave a number for, ever; told when nothing of that CPU is unread.
    void settle(int cpu, std::uint64_t untold, std::uint64_t tick);

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
        bool is_of_a_task = false;
    };
    Entry& entry_of(const EventFormat& format);
    void take_event(int cpu, const TraceRecord& record) {
        if (record.data.size() < kCommonBytes) return;  // not an event: the ring's own filler
        std::uint64_t common = 0;
        std::memcpy(&common, record.data.data(), sizeof common);
        const auto type = static_cast<std::uint16_t>(common);
        const auto tid = static_cast<std::int32_t>(common >> kTidBit);
        if (type >= by_type_.size()) return;
        const Entry& entry = by_type_[type];
        if (!entry.handler) return;
        Task* task = entry.is_of_a_task ? &book_.tasks.task(tid) : nullptr;
        if (task != nullptr && task->is_ours) return;
        events_++;
        entry.handler->take({record.tick, cpu, task, tid, record.data});
    }
    void take_unusual(int cpu, const TraceItem& item);
    void take_loss(int cpu, const TraceItem& item);
    void book_gap(int cpu, std::uint64_t tick, std::uint64_t until_tick, std::uint64_t count);

    LaneBook book_;
    std::vector<Entry> entries_;          // by event id
    std::span<const Entry> by_type_;      // the same: a span's size is at hand
    std::vector<std::uint64_t> settled_;  // by CPU
    std::uint64_t events_ = 0;
    std::uint64_t lost_ = 0;
    bool told_damage_ = false;
    bool told_loss_ = false;
};

}  // namespace sla::source
