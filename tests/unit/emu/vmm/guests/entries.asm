; Handlers that are entered in each way, accesses over a border of four bytes, and instructions that count as branches: what of it
; counts is in sections_test.cpp. Exit code 1.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        VECTOR 0, divided
        VECTOR 8, timer
        VECTOR 0x60, called
        mov cx, 100
.again: int 0x60
        loop .again
        mov ax, [0x2001]                ; within four bytes
        mov ax, [0x2003]                ; beyond
        mov [0x2003], ax
        mov dx, 0xEB
        out dx, ax                      ; likewise
        xor bl, bl
        div bl
        CONTROLLERS
        ONE_SHOT 100
        sti
        hlt
        mov eax, 0
        cpuid
        EXIT_WITH 1
called: iret
timer:  iret
divided:
        IRET_BEHIND_TWO_BYTES
        END_GUEST
