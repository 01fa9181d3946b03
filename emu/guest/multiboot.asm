; Firmware of one purpose: leaves the PC as a BIOS would, with interrupt controllers set up, the timer at 18.2 Hz, and handlers in
; the real-mode table for a kernel that goes back there: IRQ 0 counts ticks at 40:6C and calls INT 1Ch, the others only end what
; interrupted. Enters a kernel in memory as the Multiboot Specification (3.2, machine state) wants it. Own work.
        bits 16
        org 0F000h

        db "SLAMBOOT"
entry:          dd 0                    ; these two are patched: multiboot_guest.cpp
information:    dd 0

start:  cli
        cld
        mov al, 11h                     ; ICW1: edges, cascade, ICW4
        out 20h, al
        out 0A0h, al
        mov al, 08h                     ; ICW2: vectors 08h and 70h
        out 21h, al
        mov al, 70h
        out 0A1h, al
        mov al, 04h                     ; ICW3
        out 21h, al
        mov al, 02h
        out 0A1h, al
        mov al, 01h                     ; ICW4: 8086 mode
        out 21h, al
        out 0A1h, al
        mov al, 0F8h                    ; timer, keyboard and the cascade are open, as a BIOS leaves them
        out 21h, al
        mov al, 0FFh
        out 0A1h, al
        xor ax, ax                      ; the table: nothing, but for what controllers raise
        mov es, ax
        mov ds, ax
        xor di, di
        mov cx, 256
fill:   mov ax, nothing
        stosw
        mov ax, cs
        stosw
        loop fill
        mov cx, 7
        mov di, 9 * 4
master: mov word [di], end_master
        add di, 4
        loop master
        mov cx, 8
        mov di, 70h * 4
slave:  mov word [di], end_slave
        add di, 4
        loop slave
        mov word [8 * 4], tick
        mov word [9 * 4], key
        mov al, 36h                     ; counter 0: mode 3, 65536
        out 43h, al
        xor al, al
        out 40h, al
        out 40h, al
        o32 lgdt [cs:descriptor]
        mov eax, cr0
        or al, 1
        mov cr0, eax
        jmp dword 8:0F0000h + protected

tick:   push ds
        push ax
        xor ax, ax
        mov ds, ax
        inc dword [46Ch]
        int 1Ch
        mov al, 20h
        out 20h, al
        pop ax
        pop ds
        iret
key:    push ax
        in al, 60h
        pop ax
end_master:
        push ax
        mov al, 20h
        out 20h, al
        pop ax
        iret
end_slave:
        push ax
        mov al, 20h
        out 0A0h, al
        out 20h, al
        pop ax
nothing:
        iret

        bits 32
protected:
        mov ax, 10h
        mov ds, ax
        mov es, ax
        mov fs, ax
        mov gs, ax
        mov ss, ax
        mov esp, 7000h
        mov edx, [0F0000h + entry]
        mov ebx, [0F0000h + information]
        mov eax, 2BADB002h
        jmp edx

        align 8
table:  dq 0
        dq 00CF9A000000FFFFh            ; code, flat
        dq 00CF92000000FFFFh            ; data, flat
descriptor:
        dw $ - table - 1
        dd 0F0000h + table

        times 0FF0h - ($ - $$) db 0F4h
        bits 16
        jmp 0F000h:start
        times 1000h - ($ - $$) db 0
