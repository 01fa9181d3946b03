; Port accesses of every kind, each once or as written. `post_byte` stands at F000:F080.
%include "image.inc"
        BEGIN_GUEST
        jmp near post_byte
        times 0x080 - ($ - $$) db 0x90
post_byte:
        out 0x80, al
        jmp .word
.word:  mov ax, 0x1234
        out 0x80, ax
        jmp .dword
.dword: mov eax, 0x89ABCDEF
        out 0x80, eax
        jmp .dx
.dx:    mov dx, 0x80
        in al, dx
        in eax, dx
        mov dx, 0x5555          ; nobody there
        in ax, dx
        cmp ax, 0xFFFF
        jne .fail
        out dx, al
        push ds
        push cs
        pop ds
        mov si, text
        mov cx, 5
        mov dx, 0x402
        cld
        rep outsb
        pop ds
        EXIT_WITH 6
.fail:  EXIT_WITH 7
text:   db "ports"
        END_GUEST
