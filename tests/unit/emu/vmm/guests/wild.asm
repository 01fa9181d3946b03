; Reads far above the memory there is.
%include "image.inc"
        BEGIN_GUEST
        lgdt [cs:pointer]
        mov eax, cr0
        or al, 1
        mov cr0, eax
        mov ax, 8
        mov ds, ax
        mov eax, [dword 0x7FFFFFF0]
        hlt
        align 8
table:  dq 0
        dq 0x008F92000000FFFF   ; flat data
pointer:
        dw 15
        dd 0xF0000 + table
        END_GUEST
