#define _GNU_SOURCE
#include "emu/cpu/kvm_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Where no memory and no chip of a PC is: pages that processors of Intel need for real mode. */
#define TASK_STATE_PAGES 0xFEFFD000UL
#define IDENTITY_PAGE 0xFEFFC000ULL

#define LAST_FILTERED_MSR 0x2000U

struct sla_kvm {
    int system, machine, processor;
    struct kvm_run* shared;
    size_t shared_bytes;
    timer_t timer;
    bool has_timer;
};

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

static int call(int descriptor, unsigned long request, void* argument) {
    return ioctl(descriptor, request, argument) < 0 ? errno : 0;
}

static int check_version(struct sla_kvm* kvm) {
    int version = ioctl(kvm->system, KVM_GET_API_VERSION, 0);
    if (version < 0) return errno;
    if (version != KVM_API_VERSION) return EPROTO;
    return ioctl(kvm->system, KVM_CHECK_EXTENSION, KVM_CAP_IMMEDIATE_EXIT) > 0 ? 0 : ENOTSUP;
}

static int open_processor(struct sla_kvm* kvm) {
    kvm->processor = ioctl(kvm->machine, KVM_CREATE_VCPU, 0UL);
    if (kvm->processor < 0) return errno;
    int bytes = ioctl(kvm->system, KVM_GET_VCPU_MMAP_SIZE, 0);
    if (bytes < 0) return errno;
    void* shared = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, kvm->processor, 0);
    if (shared == MAP_FAILED) return errno;
    kvm->shared = shared;
    kvm->shared_bytes = (size_t)bytes;
    return 0;
}

/* Every model-specific register comes to us. */
static int filter_msrs(struct sla_kvm* kvm) {
    struct kvm_enable_cap give = {.cap = KVM_CAP_X86_USER_SPACE_MSR};
    give.args[0] = KVM_MSR_EXIT_REASON_INVAL | KVM_MSR_EXIT_REASON_UNKNOWN | KVM_MSR_EXIT_REASON_FILTER;
    int error = call(kvm->machine, KVM_ENABLE_CAP, &give);
    if (error != 0) return error;
    static uint8_t none_allowed[LAST_FILTERED_MSR / 8];
    struct kvm_msr_filter filter = {.flags = KVM_MSR_FILTER_DEFAULT_DENY};
    filter.ranges[0].flags = KVM_MSR_FILTER_READ | KVM_MSR_FILTER_WRITE;
    filter.ranges[0].nmsrs = LAST_FILTERED_MSR;
    filter.ranges[0].bitmap = none_allowed;
    return call(kvm->machine, KVM_X86_SET_MSR_FILTER, &filter);
}

/* The guest's time-stamp counter is the host's, so that both stamp alike. */
static int share_tsc(struct sla_kvm* kvm) {
    uint64_t offset = 0;
    struct kvm_device_attr attribute = {
        .group = KVM_VCPU_TSC_CTRL, .attr = KVM_VCPU_TSC_OFFSET, .addr = (uint64_t)(uintptr_t)&offset};
    return call(kvm->processor, KVM_SET_DEVICE_ATTR, &attribute);
}

static int make_timer(struct sla_kvm* kvm) {
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

static int build(struct sla_kvm* kvm, const char** step) {
    *step = "open /dev/kvm";
    kvm->system = open("/dev/kvm", O_RDWR | O_CLOEXEC);
    if (kvm->system < 0) return errno;
    *step = "use its interface of version 12";
    int error = check_version(kvm);
    if (error != 0) return error;
    *step = "create a virtual machine";
    kvm->machine = ioctl(kvm->system, KVM_CREATE_VM, 0UL);
    if (kvm->machine < 0) return errno;
    uint64_t identity = IDENTITY_PAGE;
    /* Only processors without real mode for guests need these two; where KVM refuses, the self-test shows whether it
     * matters. */
    (void)call(kvm->machine, KVM_SET_IDENTITY_MAP_ADDR, &identity);
    (void)ioctl(kvm->machine, KVM_SET_TSS_ADDR, TASK_STATE_PAGES);
    *step = "see model-specific registers";
    error = filter_msrs(kvm);
    if (error != 0) return error;
    *step = "create a virtual processor";
    error = open_processor(kvm);
    if (error != 0) return error;
    *step = "share the time-stamp counter";
    error = share_tsc(kvm);
    if (error != 0) return error;
    *step = "create a timer";
    return make_timer(kvm);
}

int sla_kvm_open(struct sla_kvm** made, const char** step) {
    struct sla_kvm* kvm = calloc(1, sizeof *kvm);
    *step = "get memory";
    if (kvm == NULL) return ENOMEM;
    kvm->system = kvm->machine = kvm->processor = -1;
    int error = build(kvm, step);
    if (error != 0) {
        sla_kvm_close(kvm);
        return error;
    }
    *made = kvm;
    return 0;
}

void sla_kvm_close(struct sla_kvm* kvm) {
    if (kvm == NULL) return;
    if (kvm->has_timer) timer_delete(kvm->timer);
    if (kicked_here == kvm->shared) kicked_here = NULL;
    if (kvm->shared != NULL) munmap(kvm->shared, kvm->shared_bytes);
    if (kvm->processor >= 0) close(kvm->processor);
    if (kvm->machine >= 0) close(kvm->machine);
    if (kvm->system >= 0) close(kvm->system);
    free(kvm);
}

int sla_kvm_map(struct sla_kvm* kvm, unsigned slot, uint64_t base, uint64_t bytes, void* memory) {
    struct kvm_userspace_memory_region region = {
        .slot = slot, .guest_phys_addr = base, .memory_size = bytes, .userspace_addr = (uint64_t)(uintptr_t)memory};
    return call(kvm->machine, KVM_SET_USER_MEMORY_REGION, &region);
}

int sla_kvm_set_cpuid(struct sla_kvm* kvm, const struct sla_kvm_cpuid* leaves, size_t count) {
    struct kvm_cpuid2* table = calloc(1, sizeof *table + count * sizeof table->entries[0]);
    if (table == NULL) return ENOMEM;
    table->nent = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        table->entries[i].function = leaves[i].leaf;
        table->entries[i].eax = leaves[i].eax;
        table->entries[i].ebx = leaves[i].ebx;
        table->entries[i].ecx = leaves[i].ecx;
        table->entries[i].edx = leaves[i].edx;
    }
    int error = call(kvm->processor, KVM_SET_CPUID2, table);
    free(table);
    return error;
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
            /* The kernel has made an invalid opcode of it already, and tells us in case it was the kernel's fault. */
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
    if (error == EINTR || error == EAGAIN) {
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
    return call(kvm->processor, KVM_SET_GUEST_DEBUG, &debug);
}

bool sla_kvm_takes_interrupts(const struct sla_kvm* kvm) {
    return kvm->shared->ready_for_interrupt_injection != 0 && kvm->shared->if_flag != 0;
}

int sla_kvm_interrupt(struct sla_kvm* kvm, uint8_t vector) {
    struct kvm_interrupt interrupt = {.irq = vector};
    return call(kvm->processor, KVM_INTERRUPT, &interrupt);
}

int sla_kvm_nmi(struct sla_kvm* kvm) {
    return call(kvm->processor, KVM_NMI, NULL);
}

struct one_msr {
    struct kvm_msrs list;
    struct kvm_msr_entry entry;
};

static int access_msr(struct sla_kvm* kvm, unsigned long request, struct one_msr* msr) {
    int done = ioctl(kvm->processor, request, msr);
    return done < 0 ? errno : done == 1 ? 0 : ENXIO;
}

int sla_kvm_read_msr(struct sla_kvm* kvm, uint32_t number, uint64_t* value) {
    struct one_msr msr = {.list.nmsrs = 1, .entry.index = number};
    int error = access_msr(kvm, KVM_GET_MSRS, &msr);
    *value = msr.entry.data;
    return error;
}

int sla_kvm_write_msr(struct sla_kvm* kvm, uint32_t number, uint64_t value) {
    struct one_msr msr = {.list.nmsrs = 1, .entry.index = number, .entry.data = value};
    return access_msr(kvm, KVM_SET_MSRS, &msr);
}

static struct sla_kvm_segment segment_from(const struct kvm_segment* from) {
    struct sla_kvm_segment to = {.selector = from->selector, .base = (uint32_t)from->base, .limit = from->limit};
    to.attributes = (uint32_t)from->type << 8 | (uint32_t)from->s << 12 | (uint32_t)from->dpl << 13 |
                    (uint32_t)from->present << 15 | (uint32_t)from->avl << 20 | (uint32_t)from->l << 21 |
                    (uint32_t)from->db << 22 | (uint32_t)from->g << 23;
    return to;
}

static void segment_to(struct kvm_segment* to, const struct sla_kvm_segment* from) {
    memset(to, 0, sizeof *to);
    to->selector = from->selector;
    to->base = from->base;
    to->limit = from->limit;
    to->type = from->attributes >> 8 & 0xF;
    to->s = from->attributes >> 12 & 1;
    to->dpl = from->attributes >> 13 & 3;
    to->present = from->attributes >> 15 & 1;
    to->avl = from->attributes >> 20 & 1;
    to->l = from->attributes >> 21 & 1;
    to->db = from->attributes >> 22 & 1;
    to->g = from->attributes >> 23 & 1;
    to->unusable = !to->present;
}

int sla_kvm_get_state(struct sla_kvm* kvm, struct sla_kvm_state* state) {
    struct kvm_regs regs;
    struct kvm_sregs sregs;
    int error = call(kvm->processor, KVM_GET_REGS, &regs);
    if (error == 0) error = call(kvm->processor, KVM_GET_SREGS, &sregs);
    if (error != 0) return error;
    const uint64_t general[8] = {regs.rax, regs.rcx, regs.rdx, regs.rbx, regs.rsp, regs.rbp, regs.rsi, regs.rdi};
    for (int i = 0; i < 8; i++) state->general[i] = (uint32_t)general[i];
    state->eip = (uint32_t)regs.rip;
    state->eflags = (uint32_t)regs.rflags;
    const struct kvm_segment* segments[6] = {&sregs.es, &sregs.cs, &sregs.ss, &sregs.ds, &sregs.fs, &sregs.gs};
    for (int i = 0; i < 6; i++) state->segments[i] = segment_from(segments[i]);
    state->ldt = segment_from(&sregs.ldt);
    state->task = segment_from(&sregs.tr);
    state->gdt = (struct sla_kvm_table){(uint32_t)sregs.gdt.base, sregs.gdt.limit};
    state->idt = (struct sla_kvm_table){(uint32_t)sregs.idt.base, sregs.idt.limit};
    state->cr0 = (uint32_t)sregs.cr0;
    state->cr2 = (uint32_t)sregs.cr2;
    state->cr3 = (uint32_t)sregs.cr3;
    state->cr4 = (uint32_t)sregs.cr4;
    return 0;
}

int sla_kvm_set_state(struct sla_kvm* kvm, const struct sla_kvm_state* state) {
    struct kvm_sregs sregs;
    int error = call(kvm->processor, KVM_GET_SREGS, &sregs);
    if (error != 0) return error;
    struct kvm_segment* segments[6] = {&sregs.es, &sregs.cs, &sregs.ss, &sregs.ds, &sregs.fs, &sregs.gs};
    for (int i = 0; i < 6; i++) segment_to(segments[i], &state->segments[i]);
    segment_to(&sregs.ldt, &state->ldt);
    segment_to(&sregs.tr, &state->task);
    sregs.gdt.base = state->gdt.base;
    sregs.gdt.limit = (uint16_t)state->gdt.limit;
    sregs.idt.base = state->idt.base;
    sregs.idt.limit = (uint16_t)state->idt.limit;
    sregs.cr0 = state->cr0;
    sregs.cr2 = state->cr2;
    sregs.cr3 = state->cr3;
    sregs.cr4 = state->cr4;
    error = call(kvm->processor, KVM_SET_SREGS, &sregs);
    if (error != 0) return error;
    struct kvm_regs regs = {.rip = state->eip,
                            .rflags = state->eflags,
                            .rax = state->general[0],
                            .rcx = state->general[1],
                            .rdx = state->general[2],
                            .rbx = state->general[3],
                            .rsp = state->general[4],
                            .rbp = state->general[5],
                            .rsi = state->general[6],
                            .rdi = state->general[7]};
    return call(kvm->processor, KVM_SET_REGS, &regs);
}
