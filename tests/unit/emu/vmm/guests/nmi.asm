; Interrupts off: sends itself two NMIs and, interrupts on, vector 60h, by the local APIC. Exit code: NMIs * 16 + the others.
%include "image.inc"
%include "protected.inc"
%macro SEND 1                   ; to APIC 0
        mov dword [dword 0xFEE00310], 0
        mov dword [dword 0xFEE00300], %1
        jmp %%sent
%%sent: nop
%endmacro
        BEGIN_GUEST
        VECTOR 0x02, on_nmi
        VECTOR 0x60, on_fixed
        REACH_4_GB
        mov dword [dword 0xFEE000F0], 0x1FF     ; APIC on
        xor bx, bx
        xor cx, cx
        SEND 0x400
        SEND 0x400
        SEND 0x60
        sti
        nop
        nop
        cli
        mov ax, bx
        shl ax, 4
        or ax, cx
        out 0xF4, al
        cli
        hlt
on_nmi: inc bx
        iret
on_fixed:
        inc cx
        mov dword [dword 0xFEE000B0], 0
        iret
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
