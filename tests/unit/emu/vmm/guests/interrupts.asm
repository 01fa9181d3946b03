; INT n with known AX, INT3 and a nested one. Exit code 8.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 3, on_any
        VECTOR 0x21, on_21
        VECTOR 0xFF, on_any
        mov ax, 0x4C01
        int 0x21
        mov ax, 0xFFFF
        int3
        EXIT_WITH 8
on_21:  mov ax, 0x00FE
        int 0xFF
        iret
on_any: iret
        END_GUEST
