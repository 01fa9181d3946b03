; Waits with interrupts on until IRQ 1, an NMI and a 5 in EBX have come; exit code 7.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 2, on_nmi
        VECTOR 9, on_key
        CONTROLLERS
        mov al, 0xFD
        out 0x21, al
        xor ebx, ebx
        sti
.wait:  cmp byte [0x600], 1
        jne .wait
        cmp byte [0x601], 1
        jne .wait
        cmp ebx, 5
        jne .wait
        cli
        EXIT_WITH 7
on_nmi: inc byte [0x601]
        iret
on_key: inc byte [0x600]
        push ax
        mov al, 0x20
        out 0x20, al
        pop ax
        iret
        END_GUEST
