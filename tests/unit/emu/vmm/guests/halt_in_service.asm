; Waits inside its timer's handler for the next tick, with no end of interrupt: none can come.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 8, on_irq0
        CONTROLLERS
        mov al, 0x34
        out 0x43, al
        mov al, 0
        out 0x40, al
        out 0x40, al
        sti
        hlt
        EXIT_WITH 1
        times 0x100 - ($ - $$) db 0x90
on_irq0:
        sti
        jmp here
        times 0x110 - ($ - $$) db 0x90
here:   hlt
        EXIT_WITH 2
        END_GUEST
