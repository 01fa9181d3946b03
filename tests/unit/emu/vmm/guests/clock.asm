; Leaves the time-stamp counter at 600h, tells port 80h, does it again at 608h. Exit code 2.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        rdtsc
        mov [0x600], eax
        mov [0x604], edx
        out 0x80, al
        rdtsc
        mov [0x608], eax
        mov [0x60C], edx
        EXIT_WITH 2
        END_GUEST
