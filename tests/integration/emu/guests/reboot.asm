; A boot sector that resets the PC in four ways, one a start, counted in the clock's memory (50h, which firmware leaves alone); at its fifth start it
; ends the run with code 5.
        bits 16
        cpu 386
        org 0x7C00
        xor ax, ax
        mov ds, ax
        mov al, 0x50
        out 0x70, al
        in al, 0x71
        inc al
        mov bl, al
        out 0x71, al
        cmp bl, 1
        je keyboard
        cmp bl, 2
        je port_92
        cmp bl, 3
        je port_cf9
        cmp bl, 4
        je fault
        mov al, bl
        out 0xF4, al
        jmp $
keyboard:
        mov al, 0xFE
        out 0x64, al
        jmp $
port_92:
        in al, 0x92
        or al, 1
        out 0x92, al
        jmp $
port_cf9:
        mov dx, 0xCF9
        mov al, 0x02
        out dx, al
        mov al, 0x06
        out dx, al
        jmp $
fault:  lidt [nothing]
        int3
nothing:
        dw 0
        dd 0
        times 510 - ($ - $$) db 0
        dw 0xAA55
