; Instructions that leave the guest's code, each first in a block that a loop enters four times: INT at F000:F100, DIV by zero at
; F000:F110, UD2 at F000:F120, HLT at F000:F130, CPUID at F000:F140. Exit code: how often each handler ran, summed.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        VECTOR 0, on_two_bytes
        VECTOR 6, on_two_bytes
        VECTOR 8, on_irq0
        VECTOR 0x21, on_int
        CONTROLLERS
        mov al, 0x34            ; every 1000 ticks
        out 0x43, al
        mov al, 1000 & 0xFF
        out 0x40, al
        mov al, 1000 >> 8
        out 0x40, al
        xor bx, bx
        mov cx, 4
        jmp l_int
        times 0x100 - ($ - $$) db 0x90
l_int:  int 0x21
        dec cx
        jnz l_int
        mov cx, 0x400
        jmp l_div
        times 0x110 - ($ - $$) db 0x90
l_div:  div cl
        dec ch
        jnz l_div
        mov cx, 4
        jmp l_ud
        times 0x120 - ($ - $$) db 0x90
l_ud:   ud2
        dec cx
        jnz l_ud
        mov cx, 4
        sti
        jmp l_hlt
        times 0x130 - ($ - $$) db 0x90
l_hlt:  hlt
        dec cx
        jnz l_hlt
        cli
        mov si, 4
        jmp l_id
        times 0x140 - ($ - $$) db 0x90
l_id:   cpuid
        dec si
        jnz l_id
        mov ax, [0x600]
        out 0xF4, al
        cli
        hlt
on_int: inc word [0x600]
        iret
on_irq0:
        inc word [0x600]
        push ax
        mov al, 0x20
        out 0x20, al
        pop ax
        iret
on_two_bytes:
        inc word [0x600]
        mov bp, sp
        add word [bp], 2
        iret
        END_GUEST
