; Reads far above the memory there is, says what it found, and jumps there.
%include "image.inc"
%include "protected.inc"
        BEGIN_GUEST
        SET_PROTECTED
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
        DESCRIPTOR_TABLE FLAT_DATA, FLAT_CODE
        END_GUEST
