; Waits by HLT for so many interrupts of the timer, one each 30 of its ticks. Their number stands at offset FE0h of the image.
; Exit code 1.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 8, on_irq0
        CONTROLLERS
        mov ecx, [cs:rounds]
        mov al, 0x34
        out 0x43, al
        mov al, 30
        out 0x40, al
        xor al, al
        out 0x40, al
        sti
.wait:  hlt
        test ecx, ecx
        jns .wait
        EXIT_WITH 1
on_irq0:
        dec ecx
        mov al, 0x20
        out 0x20, al
        iret
        times 0xFE0 - ($ - $$) db 0x90
rounds: dd 0
        END_GUEST
