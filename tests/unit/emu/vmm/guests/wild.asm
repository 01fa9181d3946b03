; Reads far above the memory there is, says what it found, and jumps there.
%include "image.inc"
        BEGIN_GUEST
        lgdt [cs:pointer]
        mov eax, cr0
        or al, 1
        mov cr0, eax
        mov ax, 8
        mov ds, ax
        mov dword [dword 0x7FFFFFF0], 0
        mov eax, [dword 0x7FFFFFF0]
        cmp eax, 0xFFFFFFFF
        jne jump
        mov dx, 0x402
        mov si, ones
.next:  mov al, [cs:si]
        out dx, al
        inc si
        cmp si, ones + 4
        jb .next
jump:   jmp dword 16:0x7FFFFFF0
ones:   db "ones"
        align 8
table:  dq 0
        dq 0x008F92000000FFFF   ; flat data
        dq 0x008F9A000000FFFF   ; flat code
pointer:
        dw 23
        dd 0xF0000 + table
        END_GUEST
