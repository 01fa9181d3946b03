/* Opening and closing a virtual machine. */
#define _GNU_SOURCE
#include "emu/cpu/kvm/kvm_shim_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where no memory and no chip of a PC is: pages that processors of Intel need for real mode. */
#define TASK_STATE_PAGES 0xFEFFD000UL
#define IDENTITY_PAGE 0xFEFFC000ULL

#define LAST_FILTERED_MSR 0x2000U

int sla_kvm_call(int descriptor, unsigned long request, void* argument) {
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
    const uint64_t wanted = KVM_SYNC_X86_REGS | KVM_SYNC_X86_SREGS;
    kvm->syncs = ((uint64_t)ioctl(kvm->system, KVM_CHECK_EXTENSION, KVM_CAP_SYNC_REGS) & wanted) == wanted;
    if (kvm->syncs) kvm->shared->kvm_valid_regs = wanted;
    return 0;
}

/* Every model-specific register comes to us. */
static int filter_msrs(struct sla_kvm* kvm) {
    struct kvm_enable_cap give = {.cap = KVM_CAP_X86_USER_SPACE_MSR};
    give.args[0] = KVM_MSR_EXIT_REASON_INVAL | KVM_MSR_EXIT_REASON_UNKNOWN | KVM_MSR_EXIT_REASON_FILTER;
    int error = sla_kvm_call(kvm->machine, KVM_ENABLE_CAP, &give);
    if (error != 0) return error;
    static uint8_t none_allowed[LAST_FILTERED_MSR / 8];
    struct kvm_msr_filter filter = {.flags = KVM_MSR_FILTER_DEFAULT_DENY};
    filter.ranges[0].flags = KVM_MSR_FILTER_READ | KVM_MSR_FILTER_WRITE;
    filter.ranges[0].nmsrs = LAST_FILTERED_MSR;
    filter.ranges[0].bitmap = none_allowed;
    return sla_kvm_call(kvm->machine, KVM_X86_SET_MSR_FILTER, &filter);
}

/* The guest's time-stamp counter is the host's, so that both stamp alike. */
static int share_tsc(struct sla_kvm* kvm) {
    uint64_t offset = 0;
    struct kvm_device_attr attribute = {
        .group = KVM_VCPU_TSC_CTRL, .attr = KVM_VCPU_TSC_OFFSET, .addr = (uint64_t)(uintptr_t)&offset};
    return sla_kvm_call(kvm->processor, KVM_SET_DEVICE_ATTR, &attribute);
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
    (void)sla_kvm_call(kvm->machine, KVM_SET_IDENTITY_MAP_ADDR, &identity);
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
    return sla_kvm_make_timer(kvm);
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
    sla_kvm_delete_timer(kvm);
    if (kvm->shared != NULL) munmap(kvm->shared, kvm->shared_bytes);
    if (kvm->processor >= 0) close(kvm->processor);
    if (kvm->machine >= 0) close(kvm->machine);
    if (kvm->system >= 0) close(kvm->system);
    free(kvm);
}

int sla_kvm_map(struct sla_kvm* kvm, unsigned slot, uint64_t base, uint64_t bytes, void* memory) {
    struct kvm_userspace_memory_region region = {
        .slot = slot, .guest_phys_addr = base, .memory_size = bytes, .userspace_addr = (uint64_t)(uintptr_t)memory};
    return sla_kvm_call(kvm->machine, KVM_SET_USER_MEMORY_REGION, &region);
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
    int error = sla_kvm_call(kvm->processor, KVM_SET_CPUID2, table);
    free(table);
    return error;
}
