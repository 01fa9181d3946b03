; RDPMC of counter 0, and of one that no Pentium has. Exit code: the general protection faults.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        VECTOR 13, on_gp
        xor ecx, ecx
        db 0x0F, 0x33
        mov ecx, 5
        db 0x0F, 0x33
        mov al, [0x600]
        out 0xF4, al
        cli
        hlt
on_gp:  inc byte [0x600]
        mov bp, sp
        add word [bp], 2
        iret
        END_GUEST
