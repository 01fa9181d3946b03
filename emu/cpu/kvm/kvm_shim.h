/* KVM's ioctls for one virtual machine with one processor and no chips in the kernel, as plain calls and structures.
 *
 * In C, and apart from the C++ that uses it: several of <linux/kvm.h>'s structures end in a flexible array, have another
 * size in C++ and so give other ioctl numbers. Calls return 0 or an errno. One thread; the timer's signal comes to that
 * thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sla_kvm;

struct sla_kvm_segment {
    uint16_t selector;
    uint32_t base;
    uint32_t limit;
    uint32_t attributes; /* bits 8-23 as in the upper half of a descriptor */
};

struct sla_kvm_table {
    uint32_t base;
    uint32_t limit;
};

struct sla_kvm_state {
    uint32_t general[8]; /* EAX ECX EDX EBX ESP EBP ESI EDI */
    uint32_t eip;
    uint32_t eflags;
    struct sla_kvm_segment segments[6]; /* ES CS SS DS FS GS */
    struct sla_kvm_segment ldt, task;
    struct sla_kvm_table gdt, idt;
    uint32_t cr0, cr2, cr3, cr4;
};

struct sla_kvm_cpuid {
    uint32_t leaf;
    uint32_t eax, ebx, ecx, edx;
};

enum sla_kvm_reason {
    SLA_KVM_KICKED, /* the timer or a signal */
    SLA_KVM_PORT,
    SLA_KVM_MEMORY,
    SLA_KVM_MSR,
    SLA_KVM_HALT,
    SLA_KVM_WINDOW,
    SLA_KVM_STEPPED,
    SLA_KVM_INVALID,  /* an instruction it cannot do: the guest gets an invalid opcode at the next run */
    SLA_KVM_SHUTDOWN, /* triple fault */
    SLA_KVM_FAILED,   /* code and detail say why, as KVM has it */
};

/* Why the guest stands still. Pointers are into memory shared with the kernel, which goes on from what stands there at the
 * next run. */
struct sla_kvm_exit {
    enum sla_kvm_reason reason;
    bool write;
    unsigned size;    /* bytes of one access */
    unsigned count;   /* accesses to a port: more than one when the instruction repeats */
    uint64_t address; /* the port, the physical address or the register's number */
    uint8_t* data;    /* size * count bytes to read or to fill in */
    uint64_t* value;  /* of the register */
    uint8_t* refused; /* set to 1: the guest gets a general protection fault */
    uint32_t code;
    uint32_t detail;
};

/* On failure *step names what could not be done. */
int sla_kvm_open(struct sla_kvm** made, const char** step);
void sla_kvm_close(struct sla_kvm* kvm);

int sla_kvm_map(struct sla_kvm* kvm, unsigned slot, uint64_t base, uint64_t bytes, void* memory);
/* Before the first run. */
int sla_kvm_set_cpuid(struct sla_kvm* kvm, const struct sla_kvm_cpuid* leaves, size_t count);

/* Runs guest code until it needs something. 0, or an errno when KVM refuses to run at all. */
int sla_kvm_run(struct sla_kvm* kvm, struct sla_kvm_exit* exit);
/* The next run only finishes the access that the last exit was about, then comes back as kicked. */
void sla_kvm_finish_only(struct sla_kvm* kvm);
/* A run ends as kicked that long from now, whether it has begun yet or not. */
int sla_kvm_kick_in(struct sla_kvm* kvm, int64_t nanoseconds);

/* True: a run ends as soon as the guest can take an interrupt. */
void sla_kvm_want_window(struct sla_kvm* kvm, bool wanted);
/* While on, a run ends behind every instruction. */
int sla_kvm_step(struct sla_kvm* kvm, bool on);
/* As the last run left it, or the flags that were set since. */
bool sla_kvm_takes_interrupts(const struct sla_kvm* kvm);
int sla_kvm_interrupt(struct sla_kvm* kvm, uint8_t vector);
/* An interrupt that it was given has not reached the guest: the run ended on the way in. */
bool sla_kvm_holds_interrupt(struct sla_kvm* kvm);
/* True: an interrupt that the processor has not taken yet is taken back. */
bool sla_kvm_take_back_interrupt(struct sla_kvm* kvm, uint8_t* vector);
/* The guest is in an NMI's handler, which no other NMI interrupts until its IRET. */
bool sla_kvm_blocks_nmi(struct sla_kvm* kvm);
int sla_kvm_block_nmi(struct sla_kvm* kvm);
/* A reset: no interrupt, NMI or exception is on its way, and none is blocked. Where the kernel refuses, they stay. */
void sla_kvm_forget_events(struct sla_kvm* kvm);

/* Registers that the kernel keeps; ENXIO: it has none of that number, or does not take the value. */
int sla_kvm_read_msr(struct sla_kvm* kvm, uint32_t number, uint64_t* value);
int sla_kvm_write_msr(struct sla_kvm* kvm, uint32_t number, uint64_t value);

int sla_kvm_get_state(struct sla_kvm* kvm, struct sla_kvm_state* state);
int sla_kvm_set_state(struct sla_kvm* kvm, const struct sla_kvm_state* state);

#ifdef __cplusplus
}
#endif
