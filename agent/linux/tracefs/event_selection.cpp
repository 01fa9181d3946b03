#include "agent/linux/tracefs/event_selection.h"

#include <algorithm>

namespace sla::linux {
namespace {

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// Parts the text at commas outside of quotes and brackets.
Result<std::vector<std::string_view>> split_items(std::string_view text) {
    std::vector<std::string_view> items;
    std::size_t begin = 0;
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); i++) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '(') {
            depth++;
        } else if (c == ')') {
            depth--;
        } else if (c == ',' && depth == 0) {
            items.push_back(trim(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    if (quote != 0) return invalid_input("a quote is not closed in: " + std::string(text));
    if (depth != 0) return invalid_input("brackets do not match in: " + std::string(text));
    items.push_back(trim(text.substr(begin)));
    return items;
}

std::string group_names() {
    std::string names;
    for (const EventGroup& group : event_groups()) names += (names.empty() ? "" : ", ") + std::string(group.name);
    return names;
}

bool is_event_name(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '*' || c == '?';
    });
}

SelectedEvent event_of(std::string_view system_and_name, std::string_view filter, bool typed) {
    const std::size_t colon = system_and_name.find(':');
    return {std::string(system_and_name.substr(0, colon)), std::string(system_and_name.substr(colon + 1)),
            std::string(filter), typed};
}

Result<void> take_item(std::string_view item, std::vector<SelectedEvent>& events) {
    if (item.empty()) return invalid_input("an empty item; write groups or SYSTEM:EVENT, parted by commas");
    const std::size_t if_at = item.ends_with(" if") ? item.size() - 3 : item.find(" if ");
    const std::string_view what = trim(item.substr(0, if_at));
    const std::string_view filter = if_at == std::string_view::npos ? "" : trim(item.substr(if_at + 3));
    if (if_at != std::string_view::npos && filter.empty())
        return invalid_input("a filter is missing behind 'if' in: " + std::string(item));
    const std::size_t colon = what.find(':');
    if (colon != std::string_view::npos) {
        if (!is_event_name(what.substr(0, colon)) || !is_event_name(what.substr(colon + 1)))
            return invalid_input("'" + std::string(what) + "' is not SYSTEM:EVENT");
        events.push_back(event_of(what, filter, true));
        return {};
    }
    for (const EventGroup& group : event_groups()) {
        if (group.name != what) continue;
        for (std::string_view event : group.events) events.push_back(event_of(event, filter, false));
        return {};
    }
    return invalid_input("there is no group of kernel events called '" + std::string(what) + "'; there are " +
                         group_names() + ", and every SYSTEM:EVENT of the kernel (SYSTEM:* for all of a system)");
}

}  // namespace

const std::vector<EventGroup>& event_groups() {
    static const std::vector<EventGroup> kGroups = {
        {"irq", "device interrupts", {"irq:irq_handler_*"}},
        {"softirq", "deferred interrupt work", {"irq:softirq_*"}},
        {"irq_vectors", "the processor's own vectors: timer, IPIs", {"irq_vectors:*_entry", "irq_vectors:*_exit"}},
        {"exceptions", "page faults", {"exceptions:page_fault_*"}},
        {"sched",
         "who runs where",
         {"sched:sched_switch", "sched:sched_wakeup", "sched:sched_wakeup_new", "sched:sched_process_fork",
          "sched:sched_process_exec", "sched:sched_process_exit", "sched:sched_migrate_task"}},
        {"syscalls", "system calls", {"raw_syscalls:sys_enter", "raw_syscalls:sys_exit"}},
        // By name: all of kvm:* would flood (kvm_emulate_insn, kvm_fpu).
        {"kvm", "virtual machines", {"kvm:kvm_entry",
                                     "kvm:kvm_exit",
                                     "kvm:kvm_pio",
                                     "kvm:kvm_mmio",
                                     "kvm:kvm_userspace_exit",
                                     "kvm:kvm_inj_virq",
                                     "kvm:kvm_inj_exception",
                                     "kvm:kvm_set_irq",
                                     "kvm:kvm_pic_set_irq",
                                     "kvm:kvm_ioapic_set_irq",
                                     "kvm:kvm_msi_set_irq",
                                     "kvm:kvm_ack_irq",
                                     "kvm:kvm_eoi",
                                     "kvm:kvm_cpuid",
                                     "kvm:kvm_msr",
                                     "kvm:kvm_apic",
                                     "kvm:kvm_hypercall",
                                     "kvm:kvm_vcpu_wakeup",
                                     "kvm:kvm_page_fault",
                                     "kvm:kvm_write_tsc_offset"}},
        {"msr", "model-specific registers", {"msr:*"}},
        {"timer", "timers that expire", {"timer:timer_expire_*", "timer:hrtimer_expire_*", "timer:itimer_expire"}},
        {"signal", "signals", {"signal:*"}},
    };
    return kGroups;
}

Result<std::vector<SelectedEvent>> parse_event_selection(std::string_view text) {
    auto items = split_items(text);
    if (!items) return items.error();
    std::vector<SelectedEvent> events;
    for (std::string_view item : *items) {
        if (Result<void> taken = take_item(item, events); !taken) return taken.error();
    }
    return events;
}

}  // namespace sla::linux
