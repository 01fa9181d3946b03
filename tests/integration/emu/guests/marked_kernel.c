/* A Multiboot kernel in C that marks its sections by the header for guests (emu/guest/include/sla_guest.h): an empty one, and
 * one that writes 25 numbers through a pointer the compiler cannot see behind. Ends with code 1 when reading the time-stamp
 * counter costs what the header measured, give or take what the clock adds, and its channels were opened; else 0. */
#include <sla_guest.h>

__attribute__((section(".multiboot"), used)) static const uint32_t kHeader[] = {0x1BADB002u, 0, 0u - 0x1BADB002u};

static volatile uint32_t numbers[25];

void kernel_main(void);

__asm__(
    ".section .text.start, \"ax\"\n"
    ".globl _start\n"
    "_start: movl $0x90000, %esp\n"
    "call kernel_main\n"
    "1: cli\n"
    "hlt\n"
    "jmp 1b\n"
    ".text\n");

static void end_with(uint8_t code) {
    __asm__ volatile("outb %0, %1" : : "a"(code), "Nd"((uint16_t)0xF4));
}

void kernel_main(void) {
    const uint32_t empty = sla_guest_channel("empty");
    const uint32_t work = sla_guest_channel("work");
    for (int turn = 0; turn < 4; turn++) {
        sla_guest_begin(empty);
        sla_guest_end(empty);
        sla_guest_begin(work);
        __asm__ volatile(
            "movl $25, %%ecx\n"
            "1: movl %%ecx, -4(%0,%%ecx,4)\n"
            "decl %%ecx\n"
            "jnz 1b" ::"r"(numbers)
            : "ecx", "memory", "cc");
        sla_guest_end(work);
        sla_guest_tick(work);
        sla_guest_value(work, 7);
    }
    const uint64_t overhead = sla_guest_tsc_overhead();
    const uint64_t before = sla_guest_tsc();
    const uint64_t took = sla_guest_tsc() - before;
    const int opened = empty != SLA_GUEST_REFUSED && work != SLA_GUEST_REFUSED && empty != work;
    end_with(opened && overhead > 0 && took < 4 * overhead && sla_guest_channel("") == SLA_GUEST_REFUSED ? 1 : 0);
}
