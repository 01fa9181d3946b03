; One and the same piece of memory, 7000h, with an OUT in its second byte, then in its first; reached by two segments. Exit code 5.
%include "image.inc"
%macro PIECE 4
        mov word [0x7000], %1 | %2 << 8
        mov word [0x7002], %3 | %4 << 8
%endmacro
        BEGIN_GUEST
        mov sp, 0x6000
        PIECE 0x90, 0xE6, 0x80, 0xCB    ; nop, out 80h, retf
        mov al, 1
        call 0x0000:0x7000
        call 0x0000:0x7000
        call 0x0700:0x0000
        PIECE 0xE6, 0x80, 0x90, 0xCB    ; out 80h, nop, retf
        call 0x0000:0x7000
        call 0x0700:0x0000
        EXIT_WITH 5
        END_GUEST
