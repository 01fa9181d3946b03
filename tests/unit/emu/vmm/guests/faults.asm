; Three divisions by zero in a row and two invalid opcodes, none first in its block. The handlers step over them. Exit code:
; divide errors * 16 + invalid opcodes. `first_div` stands at F000:F100.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 0, on_divide_error
        VECTOR 6, on_invalid
        xor bx, bx
        xor si, si
        jmp faults

        times 0x0F0 - ($ - $$) db 0x90
faults: xor cl, cl
        times 0x100 - ($ - $$) db 0x90
first_div:
        div cl
        inc ax
        div cl
        div cl
        inc dx
        ud2
        inc dx
        ud2
        mov ax, bx
        shl ax, 4
        or ax, si
        out 0xF4, al
        cli
        hlt

on_divide_error:
        inc bx
        mov bp, sp
        add word [bp], 2
        iret
on_invalid:
        inc si
        mov bp, sp
        add word [bp], 2
        iret
        END_GUEST
