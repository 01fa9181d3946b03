; Counters of port accesses in rings 0 to 2 (counter 0) and ring 3 (counter 1): two in ring 0, three in ring 3. RDPMC in ring 3
; without CR4.PCE faults, whereupon the handler switches it on. Notes the faults, counter 1 as ring 3 reads it, counters 0 and 1.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define IDT 0x22000
%define TSS 0x23000

        BEGIN_GUEST
        cli
        ENTER_FLAT
        mov esp, 0x18000
        cld
        xor eax, eax
        mov edi, IDT
        mov ecx, 512
        rep stosd
        mov edi, TSS
        mov ecx, 26
        rep stosd
        mov edi, 0x600
        mov ecx, 4
        rep stosd
        GATE 0x0D, on_gp, 0x8E00
        GATE 0x81, on_end, 0xEE00
        lidt [LINEAR(idt_pointer)]
        LOAD_TASK
        mov ecx, 0x11
        mov eax, 0x5D | 0x9D << 16
        xor edx, edx
        wrmsr
        in al, 0x61
        in al, 0x61
        mov ax, 0x23
        mov ds, ax
        ENTER_RING_3 ring3, 0x3002      ; ports are open to it
ring3:  in al, 0x61
        in al, 0x61
        in al, 0x61
        mov ecx, 1
        db 0x0F, 0x33                   ; RDPMC
        mov ecx, 1
        db 0x0F, 0x33
        mov [0x604], eax
        int 0x81

on_gp:  add esp, 4
        inc dword [0x600]
        add dword [esp], 2
        mov eax, cr4
        or eax, 0x100                   ; PCE
        mov cr4, eax
        iretd
on_end: mov ecx, 0x12
        rdmsr
        mov [0x608], eax
        mov ecx, 0x13
        rdmsr
        mov [0x60C], eax
        mov al, 7
        out 0xF4, al
        cli
        hlt

idt_pointer:
        dw 0x7FF
        dd IDT
        align 8
        FLAT_TABLE 0x00CFFA000000FFFF, 0x00CFF2000000FFFF, 0x0000890230000067
        bits 16
        END_GUEST
