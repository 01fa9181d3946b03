; The classical reset once more, from protected mode and with no access to a chip on the way.
%include "image.inc"
        lgdt [cs:pointer]
        mov eax, cr0
        or al, 1
        mov cr0, eax
        jmp 8:.protected
.protected:
        lidt [cs:no_table]
        int3
no_table:
        dw 0
        dd 0
        align 8
table:  dq 0
        dq 0x00009A0F0000FFFF   ; code at F0000h
pointer:
        dw 15
        dd 0xF0000 + table
        END_GUEST
