; QEMU's test device: what the echo ports keep (600h), in pieces (604h), the 64 KB at FF000000h (608h); then it raises IRQ 4 by port
; 2004h, whose handler takes it down, twice. Exit code: how often that ran.
%include "image.inc"
%include "protected.inc"
        BEGIN_GUEST
        VECTOR 12, on_irq4
        CONTROLLERS
        mov al, 0xEF
        out 0x21, al
        mov dx, 0xE0
        mov eax, 0x12345678
        out dx, eax
        in eax, dx
        mov [0x600], eax
        mov dx, 0xEA
        mov al, 0x9A
        out dx, al
        mov eax, 0x100000               ; flush a page
        out 0xE4, eax
        mov dx, 0xE2
        in ax, dx
        mov [0x604], ax
        mov dx, 0x2004
        mov cx, 2
again:  mov bl, [0x60C]
        mov al, 1
        out dx, al
        sti
.wait:  cmp bl, [0x60C]
        je .wait
        cli
        loop again
        REACH_4_GB
        mov dword [dword 0xFF00FFFC], 0xCAFEF00D
        mov eax, [dword 0xFF00FFFC]
        xor dx, dx
        mov ds, dx
        mov [0x608], eax
        mov al, [0x60C]
        out 0xF4, al
        cli
        hlt
on_irq4:
        inc byte [0x60C]
        mov al, 0
        out dx, al
        mov al, 0x20
        out 0x20, al
        iret
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
