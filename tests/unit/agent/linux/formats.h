// Format files as this product sees them: written after those of a 6.x kernel.
#pragma once

#include "agent/linux/tracefs/event_format.h"
#include "proto/base/check.h"

#include <string>

namespace sla::linux {

inline EventFormat format_of(const std::string& system, const std::string& name, int id, const std::string& fields,
                             const std::string& print) {
    const std::string text = "name: " + name + "\nID: " + std::to_string(id) +
                             "\nformat:\n"
                             "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                             "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                             "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
                             "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" +
                             fields + "\nprint fmt: " + print + "\n";
    auto format = parse_event_format(system, text);
    SLA_CHECK(format.ok());
    return *format;
}

inline EventFormat irq_entry() {
    return format_of("irq", "irq_handler_entry", 10,
                     "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
                     "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n",
                     "\"irq=%d name=%s\", REC->irq, __get_str(name)");
}
inline EventFormat irq_exit() {
    return format_of("irq", "irq_handler_exit", 11,
                     "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
                     "\tfield:int ret;\toffset:12;\tsize:4;\tsigned:1;\n",
                     "\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\"");
}
inline EventFormat softirq_entry() {
    return format_of("irq", "softirq_entry", 12, "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n",
                     "\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" })");
}
inline EventFormat sys_enter() {
    return format_of("raw_syscalls", "sys_enter", 20,
                     "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
                     "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n",
                     "\"NR %ld\", REC->id");
}
inline EventFormat sys_exit() {
    return format_of("raw_syscalls", "sys_exit", 21,
                     "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
                     "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n",
                     "\"NR %ld = %ld\", REC->id, REC->ret");
}
inline EventFormat sched_switch() {
    return format_of("sched", "sched_switch", 30,
                     "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
                     "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
                     "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
                     "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
                     "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
                     "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
                     "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n",
                     "\"prev_comm=%s\", REC->prev_comm");
}
inline EventFormat sched_wakeup() {
    return format_of("sched", "sched_wakeup", 31,
                     "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
                     "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n",
                     "\"comm=%s\", REC->comm");
}
inline EventFormat kvm_pio() {
    return format_of("kvm", "kvm_pio", 40,
                     "\tfield:unsigned int rw;\toffset:8;\tsize:4;\tsigned:0;\n"
                     "\tfield:unsigned int port;\toffset:12;\tsize:4;\tsigned:0;\n"
                     "\tfield:unsigned int size;\toffset:16;\tsize:4;\tsigned:0;\n"
                     "\tfield:unsigned int count;\toffset:20;\tsize:4;\tsigned:0;\n"
                     "\tfield:unsigned int val;\toffset:24;\tsize:4;\tsigned:0;\n",
                     "\"pio\"");
}
inline EventFormat kvm_exit() {
    return format_of("kvm", "kvm_exit", 41,
                     "\tfield:unsigned int exit_reason;\toffset:8;\tsize:4;\tsigned:0;\n"
                     "\tfield:unsigned long guest_rip;\toffset:16;\tsize:8;\tsigned:0;\n"
                     "\tfield:u32 isa;\toffset:24;\tsize:4;\tsigned:0;\n",
                     "\"reason %s\", (REC->isa == 1) ? __print_symbolic(REC->exit_reason & 0xffff, { 12, \"HLT\" }) : "
                     "__print_symbolic(REC->exit_reason, { 0x078, \"hlt\" })");
}
inline EventFormat kvm_entry() {
    return format_of("kvm", "kvm_entry", 42,
                     "\tfield:unsigned int vcpu_id;\toffset:8;\tsize:4;\tsigned:0;\n"
                     "\tfield:unsigned long rip;\toffset:16;\tsize:8;\tsigned:0;\n",
                     "\"vcpu %u\", REC->vcpu_id");
}

}  // namespace sla::linux
