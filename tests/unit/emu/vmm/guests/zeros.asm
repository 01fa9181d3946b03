; Writes 0, then 1, to the count of every timer in every mode, and to every register of the clock and every port of the DMA
; controllers, and works on with all interrupts open, whatever comes. Never ends.
%include "image.inc"
        BEGIN_GUEST
        mov cx, 256
        xor di, di
        mov es, di
.vector:
        mov ax, on_any
        stosw
        mov ax, cs
        stosw
        loop .vector
        CONTROLLERS
        xor al, al
        out 0x21, al
        out 0xA1, al
        sti
        xor bl, bl              ; what is written
.again: mov ah, 0x30            ; counter and mode
.timer: mov al, ah
        out 0x43, al
        mov dl, ah
        shr dl, 6
        add dl, 0x40
        xor dh, dh
        mov al, bl
        out dx, al
        xor al, al
        out dx, al
        add ah, 2
        test ah, 0x0E
        jnz .timer
        add ah, 0x30            ; the next counter, low byte and high byte again
        cmp ah, 0xF0
        jb .timer
        mov ah, 0x7F
.clock: mov al, ah
        out 0x70, al
        mov al, bl
        out 0x71, al
        dec ah
        jns .clock
        xor dx, dx
.dma:   mov al, bl
        out dx, al
        inc dx
        cmp dx, 0x10
        jb .dma
        mov dx, 0xC0
.dma16: mov al, bl
        out dx, al
        inc dx
        cmp dx, 0xE0
        jb .dma16
        xor bl, 1
        jmp .again
on_any: push ax
        mov al, 0x20
        out 0xA0, al
        out 0x20, al
        pop ax
        iret
        END_GUEST
