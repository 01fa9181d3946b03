; A storm: interrupts of the timer every 25 us, waited for by HLT right behind STI, so that many are requested already when it
; runs. Each handler returns behind the HLT or to the loop, and no halt ends inside one. At 600h: interrupts taken, at 604h halts
; that ended. Exit code 1 after 1000 interrupts.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 8, on_irq0
        CONTROLLERS
        xor ecx, ecx            ; interrupts
        xor ebx, ebx            ; halts
        mov al, 0x34
        out 0x43, al
        mov al, 30
        out 0x40, al
        xor al, al
        out 0x40, al
        sti
.wait:  hlt
        inc ebx
        cmp ecx, 1000
        jb .wait
        cli
        mov [0x600], ecx
        mov [0x604], ebx
        EXIT_WITH 1

on_irq0:
        inc ecx                 ; a halt that is told late ends here, with interrupts off
        mov al, 0x20
        out 0x20, al
        iret
        END_GUEST
