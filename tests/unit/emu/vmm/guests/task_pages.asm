; Tasks with pages of their own: the main task has one at 4 MB, the task behind the gate has none there until its page fault. To a
; list of dwords at 600h: CR2 of that fault, the task's CR3, the main task's afterwards. Exit code 9.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define IDT       0x22000
%define TASK_MAIN 0x23000
%define TASK_INT  0x23100
%define MAIN_PAGES 0x24000
%define INT_PAGES 0x25000
%define PROBE     0x400500
        BEGIN_GUEST
        ENTER_FLAT
        mov esp, 0x18000
        cld
        mov edi, IDT                    ; all the tables
        xor eax, eax
        mov ecx, 0x4000 / 4
        rep stosd
        mov dword [MAIN_PAGES], 0x83    ; 4 MB each
        mov dword [MAIN_PAGES + 4], 0x400083
        mov dword [INT_PAGES], 0x83
        mov dword [TASK_MAIN + 0x1C], MAIN_PAGES
        mov dword [TASK_INT + 0x1C], INT_PAGES
        mov dword [TASK_INT + 0x20], LINEAR(on_int)
        mov dword [TASK_INT + 0x38], 0x17000
        mov dword [TASK_INT + 0x4C], 0x08
        mov dword [TASK_INT + 0x50], 0x10
        mov dword [TASK_INT + 0x54], 0x10
        mov dword [IDT + 8 * 0x21], 0x20 << 16
        mov dword [IDT + 8 * 0x21 + 4], 0x8500
        mov word [IDT + 8 * 14], on_pf
        mov word [IDT + 8 * 14 + 2], 0x08
        mov dword [IDT + 8 * 14 + 4], 0xF8E00
        mov esi, LINEAR(table)
        mov edi, 0x26000
        mov ecx, 10
        rep movsd
        lgdt [LINEAR(moved)]
        lidt [LINEAR(idt_pointer)]
        BIG_PAGES_ON MAIN_PAGES
        jmp .paged
.paged: mov ax, 0x18
        ltr ax
        mov eax, [PROBE]
        int 0x21
        mov eax, [PROBE]
        mov eax, cr3
        mov [0x608], eax
        mov al, 9
        out 0xF4, al
        cli
        hlt
on_int: mov eax, [PROBE]
        mov eax, cr3
        mov [0x604], eax
        iretd
on_pf:  mov eax, cr2
        mov [0x600], eax
        mov dword [INT_PAGES + 4], 0x400083
        add esp, 4
        iretd
        align 8
        FLAT_TABLE 0x0000890230000067, 0x0000890231000067       ; two TSS
moved:  dw 0x27
        dd 0x26000
idt_pointer:
        dw 0x7FF
        dd IDT
        bits 16
        END_GUEST
