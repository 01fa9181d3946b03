; A far jump through a register does not exist; Unicorn 2.0.1 aborts while translating it.
%include "image.inc"
        nop
        db 0xFF, 0xE8           ; "jmp far ax"
        END_GUEST
