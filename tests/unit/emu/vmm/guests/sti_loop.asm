; An endless loop right behind STI: the shadow covers its first round only. Exit code 3 from the handler.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 8, on_irq0
        CONTROLLERS
        ONE_SHOT 500
        sti
.here:  jmp .here
on_irq0:
        EXIT_WITH 3
        END_GUEST
