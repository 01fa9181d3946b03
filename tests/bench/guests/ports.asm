; One OUT to port 80h a round. The rounds stand at offset FE0h of the image. Exit code 1.
%include "image.inc"
        BEGIN_GUEST
        mov ecx, [cs:rounds]
.round: out 0x80, al
        dec ecx
        jnz .round
        EXIT_WITH 1
        times 0xFE0 - ($ - $$) db 0x90
rounds: dd 0
        END_GUEST
