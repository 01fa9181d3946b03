; 1 + 1 in floating point, and an invalid opcode before that comes as exception 6. Exit code: 2.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        VECTOR 0x06, on_invalid
        xor bx, bx              ; exceptions 6
        db 0x0F, 0x0B
        fninit
        fld1
        fld1
        faddp st1
        fistp word [0x600]
        cmp bx, 1
        jne fail
        mov al, [0x600]
        out 0xF4, al
        cli
        hlt
fail:   EXIT_WITH 6

on_invalid:
        inc bx
        IRET_BEHIND_TWO_BYTES
        END_GUEST
