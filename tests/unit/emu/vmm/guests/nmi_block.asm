; The handler of an NMI sends itself another one, which must wait for its IRET. Exit code: how deep handlers nested * 16 + how many.
%include "image.inc"
%include "protected.inc"
%macro SEND_NMI 0
        mov dword [dword 0xFEE00310], 0
        mov dword [dword 0xFEE00300], 0x400
        jmp %%sent
%%sent: nop
%endmacro
        BEGIN_GUEST
        VECTOR 0x02, on_nmi
        REACH_4_GB
        mov dword [dword 0xFEE000F0], 0x1FF
        xor bx, bx              ; how many
        xor cx, cx              ; how deep
        xor si, si              ; at most
        SEND_NMI
        jmp .wait
.wait:  mov di, 0xFFFF          ; some hosts are late
.spin:  cmp bx, 2
        je .both
        dec di
        jnz .spin
.both:  mov ax, si
        shl ax, 4
        or ax, bx
        out 0xF4, al
        cli
        hlt
on_nmi: inc bx
        inc cx
        cmp cx, si
        jbe .known
        mov si, cx
.known: cmp bx, 1
        jne .end
        SEND_NMI
        mov di, 10
.spin:  dec di
        jnz .spin
.end:   dec cx
        iret
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
