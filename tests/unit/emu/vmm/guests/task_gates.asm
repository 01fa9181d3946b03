; Task gates: INT n, an exception with an error code and a hardware interrupt are each a task of their own; IRET goes back. What
; the tasks saw goes to a list of dwords at 600h. Protected mode, ring 0, no paging. Exit code 9.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define IDT       0x22000
%define TASK_MAIN 0x23000
%define TASK_INT  0x23100
%define TASK_GP   0x23200
%define TASK_IRQ  0x23300
%define GDT       0x24000
%define MAIN_SELECTOR 0x18
%define INT_SELECTOR  0x20
%define GP_SELECTOR   0x28
%define IRQ_SELECTOR  0x30
%define TSS_EIP 0x20
%define TSS_EBX 0x34

%macro TASK 4                           ; TSS, selector, where it begins, its stack
        mov dword [%1 + TSS_EIP], LINEAR(%3)
        mov dword [%1 + 0x24], 0x2
        mov dword [%1 + 0x38], %4
        mov dword [%1 + 0x48], 0x10     ; ES
        mov dword [%1 + 0x4C], 0x08
        mov dword [%1 + 0x50], 0x10
        mov dword [%1 + 0x54], 0x10     ; DS; FS and GS have none
        mov dword [GDT + %2], (%1 & 0xFFFF) << 16 | 0x67
        mov dword [GDT + %2 + 4], 0x8900 | %1 >> 16
%endmacro
%macro TASK_GATE 2                      ; vector, selector
        mov dword [IDT + 8 * %1], %2 << 16
        mov dword [IDT + 8 * %1 + 4], 0x8500
%endmacro
%macro NOTE 1                           ; EDX is free
        mov edx, [list]
        mov dword [edx], %1
        add dword [list], 4
%endmacro
        BEGIN_GUEST
        CONTROLLERS
        ENTER_FLAT
        mov esp, 0x18000
        cld
        mov edi, IDT                    ; all the tables
        xor eax, eax
        mov ecx, 0x2100 / 4
        rep stosd
        mov dword [list], 0x600
        mov esi, LINEAR(table)
        mov edi, GDT
        mov ecx, 6
        rep movsd
        TASK TASK_MAIN, MAIN_SELECTOR, flat, 0x18000
        TASK TASK_INT, INT_SELECTOR, on_int, 0x17000
        TASK TASK_GP, GP_SELECTOR, on_gp, 0x16000
        TASK TASK_IRQ, IRQ_SELECTOR, on_irq, 0x15000
        mov dword [TASK_INT + TSS_EBX], 0x1234
        TASK_GATE 0x08, IRQ_SELECTOR    ; where CONTROLLERS puts IRQ 0
        TASK_GATE 0x0D, GP_SELECTOR
        TASK_GATE 0x21, INT_SELECTOR
        lgdt [LINEAR(moved)]
        lidt [LINEAR(idt_pointer)]
        mov ax, MAIN_SELECTOR
        ltr ax

        mov ebx, 0xB0B
        mov eax, 0xA0A
        stc
        int 0x21
        setc cl                         ; flags and registers are as they were
        movzx ecx, cl
        NOTE ecx
        NOTE ebx
        NOTE eax
        int 0x21                        ; goes on behind its IRET
        mov ax, 0x53                    ; no such selector
        mov fs, ax
        NOTE 0x77
        mov al, 0x30
        out 0x43, al
        mov al, 100
        out 0x40, al
        xor al, al
        out 0x40, al
        sti
.spin:  cmp dword [ticks], 1
        jb .spin
        cli
        pushfd
        pop eax
        and eax, 0x4000                 ; NT
        NOTE eax
        mov al, [GDT + MAIN_SELECTOR + 5]
        movzx eax, al
        NOTE eax                        ; busy
        mov al, [GDT + INT_SELECTOR + 5]
        movzx eax, al
        NOTE eax                        ; free
        mov al, 9
        out 0xF4, al
        cli
        hlt

on_int: NOTE ebx
        inc ebx
        movzx eax, word [TASK_INT]      ; the back link
        NOTE eax
        mov al, [GDT + MAIN_SELECTOR + 5]
        movzx eax, al
        NOTE eax                        ; still busy
        mov eax, cr0
        and eax, 8                      ; TS
        NOTE eax
        clts
        iretd
        jmp on_int
on_gp:  pop eax
        NOTE eax                        ; the error code
        add dword [TASK_MAIN + TSS_EIP], 2
        iretd
        jmp on_gp
on_irq: inc dword [ticks]
        mov al, 0x20
        out 0x20, al
        iretd
        jmp on_irq

ticks   equ 0x500
list    equ 0x504
        align 8
        FLAT_TABLE
moved:
        dw 0x37
        dd GDT
idt_pointer:
        dw 0x7FF
        dd IDT
        bits 16
        END_GUEST
