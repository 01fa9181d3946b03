; Marks 20,000 times by port 5A0h while its timer goes off every millisecond. Exit code: how often that came.
%include "image.inc"
        BEGIN_GUEST
        VECTOR 0x08, on_timer
        CONTROLLERS
        mov eax, 0x534C4100
        mov ecx, 0xF0000 + name
        mov dx, 0x5A0
        out dx, eax
        in eax, dx
        mov ebx, eax
        mov al, 0x34
        out 0x43, al
        mov al, 1193 & 0xFF
        out 0x40, al
        mov al, 1193 >> 8
        out 0x40, al
        xor si, si
        mov cx, 20000
        sti
.mark:  mov eax, 0x534C4101
        mov dx, 0x5A0
        out dx, eax
        loop .mark
        cli
        mov ax, si
        out 0xF4, al
        hlt
on_timer:
        inc si
        push ax
        mov al, 0x20
        out 0x20, al
        pop ax
        iret
name:   db "often", 0
        END_GUEST
