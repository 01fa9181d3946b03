#include "agent/linux/events/translator.h"

#include <algorithm>
#include <array>

namespace sla::linux {
namespace {

// What a thread does, unlike interrupts, timers and switches, which only happen while it is there.
bool is_of_a_task(std::string_view system) {
    constexpr std::array<std::string_view, 5> kOfTheMachine = {"irq", "irq_vectors", "sched", "timer", "kvm"};
    return std::find(kOfTheMachine.begin(), kOfTheMachine.end(), system) == kOfTheMachine.end();
}

}  // namespace

Translator::Entry& Translator::entry_of(const EventFormat& format) {
    if (entries_.size() <= format.id) entries_.resize(format.id + 1);
    by_type_ = entries_;
    return entries_[format.id];
}

void Translator::add_function(const EventFormat& format, const std::string& lane, ProbeEdge edge) {
    entry_of(format).handler = make_function_handler(format, account_, lane, edge);
}

void Translator::add_event(const EventFormat& format) {
    Entry& entry = entry_of(format);
    entry.is_of_a_task = is_of_a_task(format.system);
    for (auto make :
         {make_interrupt_handler, make_sched_handler, make_syscall_handler, make_kvm_handler, make_plain_handler}) {
        entry.handler = make(format, account_);
        if (entry.handler) break;
    }
    if (entry.is_of_a_task && entry.handler) entry.usual = entry.handler->usual();
}

void Translator::take_by_handler(const Entry& entry, int cpu, std::int32_t tid, TraceRecord record) {
    if (!entry.handler) return;
    Task* task = entry.is_of_a_task ? &account_.tasks.task(tid) : nullptr;
    if (task != nullptr && task->is_ours) return;
    events_++;
    entry.handler->take({record.tick, cpu, task, tid, record.data});
}

void Translator::take(int cpu, const TraceItem& item) {
    if (item.kind == TraceItem::Kind::kLoss) return take_loss(cpu, item);
    account_.cut(cpu, item.record.tick, item.record.tick);
    if (!reported_damage_) account_.sink.notice("the kernel's trace of a CPU had a damaged page; what it held is not known");
    reported_damage_ = true;
}

void Translator::account_gap(int cpu, std::uint64_t tick, std::uint64_t until_tick, std::uint64_t count) {
    lost_ += count;
    account_.sink.add_gap(account_.cpu_lane(cpu), account_.tasks.cpu_thread(cpu), tick, until_tick,
                          wire::LossCause::kOverrun, count);
    if (reported_loss_) return;
    reported_loss_ = true;
    account_.sink.notice("kernel events of CPU " + std::to_string(cpu) +
                         " were lost, its buffer was full (counted on linux.cpu." + std::to_string(cpu) +
                         "): ask for fewer events, filter them, or give --linux-buffer more");
}

void Translator::take_loss(int cpu, const TraceItem& item) {
    account_.cut(cpu, item.record.tick, item.until_tick);
    if (item.lost) account_gap(cpu, item.record.tick, item.until_tick, *item.lost);  // else settle() finds out how many
}

void Translator::settle(int cpu, std::uint64_t pending, std::uint64_t tick) {
    const auto index = static_cast<std::size_t>(std::max(cpu, 0));
    if (settled_.size() <= index) settled_.resize(index + 1);
    if (pending <= settled_[index]) return;
    account_gap(cpu, tick, tick, pending - settled_[index]);
    settled_[index] = pending;
}

}  // namespace sla::linux
