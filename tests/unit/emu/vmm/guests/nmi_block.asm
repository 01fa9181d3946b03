; The handler of an NMI sends itself another one, which must wait for its IRET. Exit code: how deep handlers nested * 16 + how many.
%include "image.inc"
%macro SEND_NMI 0
        mov dword [dword 0xFEE00310], 0
        mov dword [dword 0xFEE00300], 0x400
        jmp %%sent
%%sent: nop
%endmacro
        BEGIN_GUEST
        VECTOR 0x02, on_nmi
        cli
        lgdt [cs:pointer]
        mov eax, cr0            ; 4 GB in reach of real mode
        or al, 1
        mov cr0, eax
        mov dx, 8
        mov ds, dx
        and al, 0xFE
        mov cr0, eax
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
        align 8
table:  dq 0
        dq 0x008F92000000FFFF
pointer:
        dw 15
        dd 0xF0000 + table
        END_GUEST
