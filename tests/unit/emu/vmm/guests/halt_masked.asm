; Halts with interrupts on and the timer running, but every input of the controllers masked.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 8, on_irq0
        CONTROLLERS
        mov al, 0xFF
        out 0x21, al
        mov al, 0x34
        out 0x43, al
        mov al, 0
        out 0x40, al
        out 0x40, al
        sti
        jmp here
        times 0x100 - ($ - $$) db 0x90
here:   hlt
        EXIT_WITH 1
on_irq0:
        iret
        END_GUEST
