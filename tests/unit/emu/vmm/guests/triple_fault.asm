; The classical reset: an interrupt table without entries, and an interrupt.
%include "image.inc"
        BEGIN_GUEST
        lidt [cs:no_table]
        int 0x10
no_table:
        dw 0
        dd 0
        END_GUEST
