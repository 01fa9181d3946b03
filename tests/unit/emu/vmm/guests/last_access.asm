; Blocks of code that an access to a port ends in their middle: what follows there must not run. Behind a reset by port 92h the guest
; starts again, and a string instruction's access to port F4h is the end. At 600h: what ran behind either. Instructions: 8, then 10.
%include "image.inc"
        xor ax, ax
        mov ds, ax
        cmp byte [0x500], 0
        jne again
        mov al, 1
        mov [0x500], al
        out 0x92, al
        mov byte [0x600], 1
        out 0x80, al
        jmp $
again:  mov si, code
        mov dx, 0xF4
        mov cx, 0x402
        std
        cs outsb
        mov word [0x602], 0x55AA
        out 0x81, al
        mov dx, cx
        out dx, al
        cli
        hlt
code:   db 7
        END_GUEST
