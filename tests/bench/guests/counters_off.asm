; The work of work.asm. Where the byte at offset FE4h of the image is 1 both counters count before, a little, and are switched off again.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        cmp byte [cs:with_counters], 0
        je .begin
        mov ecx, 0x11
        mov eax, 0xD6 | 0xDD << 16      ; instructions, port accesses
        xor edx, edx
        wrmsr
        in al, 0x61
        xor eax, eax
        wrmsr
.begin: mov ecx, [cs:rounds]
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
with_counters:
        db 0
        END_GUEST
