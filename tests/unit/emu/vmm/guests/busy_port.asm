; Reads a port for most of a millisecond, then computes until its timer, set to one, goes off. Exit code 5.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 0x08, on_timer
        CONTROLLERS
        sti
        ONE_SHOT 1193
        mov cx, 1500
.read:  in al, 0x61
        loop .read
.wait:  inc ebx
        jmp .wait
on_timer:
        EXIT_WITH 5
        END_GUEST
