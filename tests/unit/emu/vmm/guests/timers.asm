; Interrupts of the timer in modes 2, 3 and 0, five, five and one, 1193 ticks apart; then of the clock: three periodic ones, one at
; the end of an update, one alarm. What register C said is noted at 600h. Exit code: how many came, of both.
%include "image.inc"
%macro TIMER 1
        mov al, 0x30 | %1 << 1
        out 0x43, al
        mov al, 1193 & 0xFF
        out 0x40, al
        mov al, 1193 >> 8
        out 0x40, al
%endmacro
%macro CLOCK 2                  ; register, value
        mov al, %1
        out 0x70, al
        mov al, %2
        out 0x71, al
%endmacro
%macro AWAIT 1                  ; so many interrupts
        mov cx, %1
%%wait: sti
        hlt
        cli
        loop %%wait
%endmacro
        BEGIN_GUEST
        VECTOR 0x08, on_timer
        VECTOR 0x70, on_clock
        CONTROLLERS
        mov al, 0xFA            ; IRQ 0 and 2
        out 0x21, al
        mov al, 0xFE            ; IRQ 8
        out 0xA1, al
        mov bx, 0x600
        xor si, si
        TIMER 2
        AWAIT 5
        TIMER 3
        AWAIT 5
        TIMER 0
        AWAIT 1
        mov al, 0xFB            ; IRQ 2 only
        out 0x21, al
        CLOCK 0x0A, 0x26        ; 1024 Hz
        CLOCK 0x0B, 0x42
        AWAIT 3
        CLOCK 0x0B, 0x12
        AWAIT 1
        CLOCK 0x01, 0xC0        ; whatever the time
        CLOCK 0x03, 0xC0
        CLOCK 0x05, 0xC0
        CLOCK 0x0B, 0x22
        AWAIT 1
        mov ax, si
        out 0xF4, al
        cli
        hlt
on_timer:
        inc si
        mov al, 0x20
        out 0x20, al
        iret
on_clock:
        inc si
        mov al, 0x0C
        out 0x70, al
        in al, 0x71
        mov [bx], al
        inc bx
        mov al, 0x20
        out 0xA0, al
        out 0x20, al
        iret
        END_GUEST
