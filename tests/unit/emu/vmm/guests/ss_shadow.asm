; A request comes while SS and SP are loaded again and again: never between the two. Exit code 4.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 8, on_irq0
        CONTROLLERS
        mov al, 0x34            ; every 60 ticks
        out 0x43, al
        mov al, 60
        out 0x40, al
        xor al, al
        out 0x40, al
        xor cx, cx
        mov ax, 0x1000          ; two stacks whose SP differ
        xor bx, bx
        sti
.swap:  mov ss, ax
        mov sp, 0x8000
        nop
        mov ss, bx
        mov sp, 0x7000
        nop
        cmp cx, 200
        jb .swap
        EXIT_WITH 4
on_irq0:
        inc cx
        push ax
        push bp
        mov bp, sp
        mov ax, ss
        cmp ax, 0x1000
        je .high
        cmp bp, 0x7000 - 10
        jne fail
        jmp .end
.high:  cmp bp, 0x8000 - 10
        jne fail
.end:   mov al, 0x20
        out 0x20, al
        pop bp
        pop ax
        iret
fail:   EXIT_WITH 5
        END_GUEST
