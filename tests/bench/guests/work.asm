; Eight instructions a round: load, store, arithmetic, a branch. The rounds stand at offset FE0h of the image. Exit code 1.
%include "image.inc"
        BEGIN_GUEST
        mov ecx, [cs:rounds]
        mov bx, 0x600
.round: mov eax, [bx]
        add eax, ecx
        mov [bx + 4], eax
        xor edx, eax
        rol edx, 1
        mov [bx], edx
        dec ecx
        jnz .round
        EXIT_WITH 1
        times 0xFE0 - ($ - $$) db 0x90
rounds: dd 0
        END_GUEST
