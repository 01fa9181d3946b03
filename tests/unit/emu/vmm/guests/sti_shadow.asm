; A request waits. The instruction behind STI runs before it is taken; STI, CLI lets it wait on.
; Exit code: 1 when both hold.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 8, on_irq0
        CONTROLLERS
        ONE_SHOT 20
        AWAIT_REQUEST
        xor bx, bx              ; set behind STI
        xor cx, cx              ; interrupts taken
        mov dx, 1000
.closed:
        sti
        cli                     ; never open for an interrupt
        dec dx
        jnz .closed
        test cx, cx
        jnz fail
        sti
        mov bx, 1               ; in the shadow of STI
        nop
        cli
        cmp cx, 1
        jne fail
        EXIT_WITH 1
fail:   EXIT_WITH 2

on_irq0:
        inc cx
        cmp bx, 1
        jne fail
        iret
        END_GUEST
