; One access to a port a round, a byte: of the port at FE4h of the image, OUT where the byte at FE6h is not 0, else IN. The rounds stand
; at FE0h. Exit code 1.
%include "image.inc"
        BEGIN_GUEST
        mov ecx, [cs:rounds]
        mov dx, [cs:port]
        mov al, 0x20
        cmp byte [cs:is_out], 0
        jne .out
.in:    in al, dx
        dec ecx
        jnz .in
        EXIT_WITH 1
.out:   out dx, al
        dec ecx
        jnz .out
        EXIT_WITH 1
        times 0xFE0 - ($ - $$) db 0x90
rounds: dd 0
port:   dw 0
is_out: db 0
        END_GUEST
