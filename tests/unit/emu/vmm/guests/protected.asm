; Protected mode with paging, ring 3 and a TSS. Every fault and trap writes what it got to a list of dwords at 600h, which the test
; compares: vector, error code or -1, CR2 for page faults, CS interrupted. Exit code 7.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define DIRECTORY 0x20000
%define TABLE     0x21000
%define IDT       0x22000
%define TSS       0x23000

        BEGIN_GUEST
        CONTROLLERS
        ENTER_FLAT
        mov esp, 0x18000
        cld
        mov edi, DIRECTORY              ; all of it is clear
        xor eax, eax
        mov ecx, 1024
        rep stosd
        mov dword [DIRECTORY], TABLE + 7
        mov dword [DIRECTORY + 4 * 0x300], TABLE + 7    ; once more at 3 GB
        mov edi, TABLE                  ; 4 MB, each where it is
        mov eax, 7
        mov ecx, 1024
.page:  stosd
        add eax, 0x1000
        loop .page
        mov dword [TABLE + 4 * 0x150], 0
        mov dword [TABLE + 4 * 0x151], 0x151005         ; read-only
        mov dword [TABLE + 4 * 0x152], 0x152003         ; ring 0 only
        mov eax, DIRECTORY
        mov cr3, eax
        mov eax, cr0
        or eax, 0x80010000              ; PG, WP
        mov cr0, eax
        jmp .paged
.paged: mov edi, IDT
        xor eax, eax
        mov ecx, 512
        rep stosd
        GATE 0x08, on_irq0, 0x8E00      ; where CONTROLLERS puts IRQ 0
        GATE 0x0D, on_gp, 0x8E00
        GATE 0x0E, on_pf, 0x8E00
        GATE 0x21, on_trap, 0x8E00
        GATE 0x80, on_trap, 0xEF00
        GATE 0x81, on_end, 0xEE00
        lidt [LINEAR(idt_pointer)]
        mov edi, TSS
        mov ecx, 26
        rep stosd
        LOAD_TASK
        mov ebp, 0x600

        mov eax, [0xC0150010]           ; not present, seen at 3 GB
        mov [0x151020], eax             ; read-only
        mov byte [skip], 2
        mov ax, 0x53
        mov fs, ax                      ; no such selector
        int 0x80
        mov al, 0x34                    ; every 2000 ticks
        out 0x43, al
        mov al, 2000 & 0xFF
        out 0x40, al
        mov al, 2000 >> 8
        out 0x40, al
        mov ax, 0x23
        mov ds, ax
        ENTER_RING_3 ring3, 0x202
ring3:  mov eax, [0x152000]
        mov byte [skip], 1
        cli
        mov byte [skip], 2
        int 0x21
        mov eax, 0x1234
        int 0x80
        mov ecx, 3
.spin:  cmp [ticks], ecx
        jb .spin
        int 0x81

%macro NOTE 1                           ; EBX is free
        mov ebx, %1
        mov [ebp], ebx
        add ebp, 4
%endmacro
on_pf:  pop eax
        NOTE dword 14
        NOTE eax
        mov eax, cr2
        NOTE eax
        NOTE dword [esp + 4]
        and eax, 0x3FFFFF               ; open the page
        mov ecx, eax
        shr ecx, 12
        and eax, 0xFFFFF000
        or eax, 7
        mov [TABLE + 4 * ecx], eax
        mov eax, cr3
        mov cr3, eax
        iretd
on_gp:  pop eax
        NOTE dword 13
        NOTE eax
        NOTE dword [esp + 4]
        movzx eax, byte [skip]
        add [esp], eax
        iretd
on_trap:
        NOTE dword 0x80
        NOTE eax
        NOTE dword [esp + 4]
        iretd
on_irq0:
        push eax
        push dword [esp + 8]
        pop dword [irq_cs]
        inc dword [ticks]
        mov al, 0x20
        out 0x20, al
        pop eax
        iretd
on_end: mov al, 7
        out 0xF4, al
        cli
        hlt

ticks   equ 0x500
irq_cs  equ 0x504
skip    equ 0x508
        align 8
        FLAT_TABLE 0x00CFFA000000FFFF, 0x00CFF2000000FFFF, 0x0000890230000067       ; code and data of ring 3, TSS
idt_pointer:
        dw 0x7FF
        dd IDT
        bits 16
        END_GUEST
