/* Running a virtual processor, and what ends a run. */
#define _GNU_SOURCE
#include "emu/cpu/kvm/kvm_shim_parts.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The signal finds the run to end here, from the setting of the timer on, and nothing once the machine is gone. */
static _Thread_local struct kvm_run* volatile kicked_here;

static int kick_signal(void) {
    return SIGRTMIN + 3;
}

static void on_kick(int number) {
    (void)number;
    struct kvm_run* run = kicked_here;
    if (run != NULL) run->immediate_exit = 1;
}

int sla_kvm_make_timer(struct sla_kvm* kvm) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_kick;
    if (sigaction(kick_signal(), &action, NULL) < 0) return errno;
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = kick_signal();
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &event, &kvm->timer) < 0) return errno;
    kvm->has_timer = true;
    return 0;
}

void sla_kvm_delete_timer(struct sla_kvm* kvm) {
    if (kvm->has_timer) timer_delete(kvm->timer);
    if (kicked_here == kvm->shared) kicked_here = NULL;
}

static void describe(struct kvm_run* run, struct sla_kvm_exit* exit) {
    switch (run->exit_reason) {
        case KVM_EXIT_IO:
            exit->reason = SLA_KVM_PORT;
            exit->write = run->io.direction == KVM_EXIT_IO_OUT;
            exit->size = run->io.size;
            exit->count = run->io.count;
            exit->address = run->io.port;
            exit->data = (uint8_t*)run + run->io.data_offset;
            return;
        case KVM_EXIT_MMIO:
            exit->reason = SLA_KVM_MEMORY;
            exit->write = run->mmio.is_write != 0;
            exit->size = run->mmio.len;
            exit->address = run->mmio.phys_addr;
            exit->data = run->mmio.data;
            return;
        case KVM_EXIT_X86_RDMSR:
        case KVM_EXIT_X86_WRMSR:
            exit->reason = SLA_KVM_MSR;
            exit->write = run->exit_reason == KVM_EXIT_X86_WRMSR;
            exit->address = run->msr.index;
            exit->value = (uint64_t*)&run->msr.data;
            exit->refused = &run->msr.error;
            return;
        case KVM_EXIT_HLT: exit->reason = SLA_KVM_HALT; return;
        case KVM_EXIT_IRQ_WINDOW_OPEN: exit->reason = SLA_KVM_WINDOW; return;
        case KVM_EXIT_SHUTDOWN: exit->reason = SLA_KVM_SHUTDOWN; return;
        case KVM_EXIT_INTR: exit->reason = SLA_KVM_KICKED; return;
        case KVM_EXIT_DEBUG: exit->reason = SLA_KVM_STEPPED; return;
        case KVM_EXIT_INTERNAL_ERROR:
            /* The kernel has made an invalid opcode of it already, and reports it in case it was the kernel's fault. */
            exit->reason = run->internal.suberror == KVM_INTERNAL_ERROR_EMULATION ? SLA_KVM_INVALID : SLA_KVM_FAILED;
            exit->code = run->exit_reason;
            exit->detail = run->internal.suberror;
            return;
        default:
            exit->reason = SLA_KVM_FAILED;
            exit->code = run->exit_reason;
            if (run->exit_reason == KVM_EXIT_FAIL_ENTRY) {
                exit->detail = (uint32_t)run->fail_entry.hardware_entry_failure_reason;
            }
    }
}

int sla_kvm_run(struct sla_kvm* kvm, struct sla_kvm_exit* exit) {
    memset(exit, 0, sizeof *exit);
    int result = ioctl(kvm->processor, KVM_RUN, 0);
    int error = result < 0 ? errno : 0;
    const bool kicked = error == EINTR || error == EAGAIN;
    kvm->synced = kvm->syncs && (error == 0 || kicked);
    if (kicked) {
        /* Only here: a kick that came behind the end of a run for another reason ends the next one. */
        kvm->shared->immediate_exit = 0;
        return 0;
    }
    if (error == 0) describe(kvm->shared, exit);
    return error;
}

void sla_kvm_finish_only(struct sla_kvm* kvm) {
    kvm->shared->immediate_exit = 1;
}

int sla_kvm_kick_in(struct sla_kvm* kvm, int64_t nanoseconds) {
    const int64_t second = 1000000000;
    kicked_here = kvm->shared;
    struct itimerspec when = {.it_value = {.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second}};
    return timer_settime(kvm->timer, 0, &when, NULL) < 0 ? errno : 0;
}

void sla_kvm_want_window(struct sla_kvm* kvm, bool wanted) {
    kvm->shared->request_interrupt_window = wanted ? 1 : 0;
}

int sla_kvm_step(struct sla_kvm* kvm, bool on) {
    struct kvm_guest_debug debug = {.control = on ? KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_SINGLESTEP : 0};
    return sla_kvm_call(kvm->processor, KVM_SET_GUEST_DEBUG, &debug);
}

bool sla_kvm_takes_interrupts(const struct sla_kvm* kvm) {
    return kvm->shared->ready_for_interrupt_injection != 0 && kvm->shared->if_flag != 0;
}

int sla_kvm_interrupt(struct sla_kvm* kvm, uint8_t vector) {
    struct kvm_interrupt interrupt = {.irq = vector};
    return sla_kvm_call(kvm->processor, KVM_INTERRUPT, &interrupt);
}

static bool get_events(struct sla_kvm* kvm, struct kvm_vcpu_events* events) {
    memset(events, 0, sizeof *events);
    return sla_kvm_call(kvm->processor, KVM_GET_VCPU_EVENTS, events) == 0;
}

bool sla_kvm_holds_interrupt(struct sla_kvm* kvm) {
    struct kvm_vcpu_events events;
    if (!get_events(kvm, &events)) return false;
    return events.interrupt.injected != 0;
}

bool sla_kvm_take_back_interrupt(struct sla_kvm* kvm, uint8_t* vector) {
    struct kvm_vcpu_events events;
    if (!get_events(kvm, &events)) return false;
    if (!events.interrupt.injected || events.interrupt.soft) return false;
    *vector = events.interrupt.nr;
    events.interrupt.injected = 0;
    return sla_kvm_call(kvm->processor, KVM_SET_VCPU_EVENTS, &events) == 0;
}

bool sla_kvm_blocks_nmi(struct sla_kvm* kvm) {
    struct kvm_vcpu_events events;
    return get_events(kvm, &events) && events.nmi.masked;
}

int sla_kvm_block_nmi(struct sla_kvm* kvm) {
    struct kvm_vcpu_events events;
    if (!get_events(kvm, &events)) return EIO;
    events.nmi.masked = 1;
    return sla_kvm_call(kvm->processor, KVM_SET_VCPU_EVENTS, &events);
}

void sla_kvm_forget_events(struct sla_kvm* kvm) {
    struct kvm_vcpu_events events;
    if (!get_events(kvm, &events)) return;
    memset(&events.exception, 0, sizeof events.exception);
    memset(&events.interrupt, 0, sizeof events.interrupt);
    memset(&events.nmi, 0, sizeof events.nmi);
    (void)sla_kvm_call(kvm->processor, KVM_SET_VCPU_EVENTS, &events);
}
