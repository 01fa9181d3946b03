/* A virtual processor's registers. */
#include "emu/cpu/kvm/kvm_shim_parts.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

/* struct kvm_msrs with a list of one; its own list has no length, and standard C lets nothing follow such. */
struct one_msr {
    uint32_t count;
    uint32_t padding;
    struct kvm_msr_entry entry;
};
_Static_assert(offsetof(struct one_msr, entry) == sizeof(struct kvm_msrs), "the kernel reads a struct kvm_msrs");

static int access_msr(struct sla_kvm* kvm, unsigned long request, struct one_msr* msr) {
    int done = ioctl(kvm->processor, request, msr);
    return done < 0 ? errno : done == 1 ? 0 : ENXIO;
}

int sla_kvm_read_msr(struct sla_kvm* kvm, uint32_t number, uint64_t* value) {
    struct one_msr msr = {.count = 1, .entry.index = number};
    int error = access_msr(kvm, KVM_GET_MSRS, &msr);
    *value = msr.entry.data;
    return error;
}

int sla_kvm_write_msr(struct sla_kvm* kvm, uint32_t number, uint64_t value) {
    struct one_msr msr = {.count = 1, .entry.index = number, .entry.data = value};
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
    if (!kvm->synced) {
        int error = sla_kvm_call(kvm->processor, KVM_GET_REGS, &kvm->shared->s.regs.regs);
        if (error == 0) error = sla_kvm_call(kvm->processor, KVM_GET_SREGS, &kvm->shared->s.regs.sregs);
        if (error != 0) return error;
    }
    const struct kvm_regs regs = kvm->shared->s.regs.regs;
    const struct kvm_sregs sregs = kvm->shared->s.regs.sregs;
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
    int error = sla_kvm_call(kvm->processor, KVM_GET_SREGS, &sregs);
    if (error != 0) return error;
    kvm->synced = false;
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
    error = sla_kvm_call(kvm->processor, KVM_SET_SREGS, &sregs);
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
    error = sla_kvm_call(kvm->processor, KVM_SET_REGS, &regs);
    /* The kernel writes it at the end of a run, and reads it never. */
    if (error == 0) kvm->shared->if_flag = (state->eflags >> 9) & 1;
    return error;
}
