; Ring 3 calls ring 0 by a call gate with two parameters; its stack is the TSS's. At 600h: what ring 0 finds from its ESP on (EIP behind
; `called`, CS, the parameters, ESP, SS), its ESP, its SS; then, back in ring 3, ESP, SS and CS. A second gate, of ring 0, is a general
; protection fault (its error code follows). Exit code 9.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define IDT 0x22000
%define TSS 0x23000
%define GDT 0x24000
%define GATE_SELECTOR  0x30
%define INNER_SELECTOR 0x38
        BEGIN_GUEST
        cli
        ENTER_FLAT
        mov esp, 0x18000
        cld
        xor eax, eax
        mov edi, IDT
        mov ecx, 0x2100 / 4
        rep stosd
        mov esi, LINEAR(table)          ; six, and two gates behind them
        mov edi, GDT
        mov ecx, 12
        rep movsd
        mov dword [GDT + GATE_SELECTOR], (0x08 << 16) + inner - $$ + 0xF000
        mov dword [GDT + GATE_SELECTOR + 4], 0xF0000 | 0xEC02
        mov dword [GDT + INNER_SELECTOR], (0x08 << 16) + inner - $$ + 0xF000
        mov dword [GDT + INNER_SELECTOR + 4], 0xF0000 | 0x8C02
        lgdt [LINEAR(moved)]
        GATE 0x0D, on_gp, 0x8E00
        GATE 0x60, on_end, 0xEE00
        lidt [LINEAR(idt_pointer)]
        LOAD_TASK
        mov ax, 0x23
        mov ds, ax
        ENTER_RING_3 ring3, 0x202
ring3:  push dword 0x1111
        push dword 0x2222
        call GATE_SELECTOR:0
called: mov [0x620], esp
        mov eax, ss
        mov [0x624], eax
        mov eax, cs
        mov [0x628], eax
        call INNER_SELECTOR:0
        int 0x60

inner:  mov edi, 0x600
        mov esi, esp
        mov ecx, 6
        rep movsd
        sub dword [0x600], LINEAR(called)
        mov [0x618], esp
        mov eax, ss
        mov [0x61C], eax
        retf 8
on_gp:  pop eax
        mov [0x62C], eax
        add dword [esp], 7              ; over the call
        iretd
on_end: mov al, 9
        out 0xF4, al
        cli
        hlt
moved:  dw 0x3F
        dd GDT
idt_pointer:
        dw 0x7FF
        dd IDT
        align 8
        FLAT_TABLE 0x00CFFA000000FFFF, 0x00CFF2000000FFFF, 0x0000890230000067
        bits 16
        END_GUEST
