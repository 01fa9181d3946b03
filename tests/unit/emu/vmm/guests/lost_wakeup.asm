; A planted race, the lost wake-up: the guest sees by the timer's own count that it has run out, looks whether its interrupt has
; come, and if not goes the long way to its idle loop and halts. An interrupt that comes on that way wakes nobody, and no other
; follows. On a PC whose interrupts are never late it has always come by then.
; POST codes: 1 the timer is set, 2 the guest knows of its interrupt, which it may never do.
%include "image.inc"
TICKS equ 100                   ; 84 us
WAY_TO_IDLE equ 200             ; rounds of 2 bytes: 0.8 us

        BEGIN_GUEST
        mov byte [0x600], 0
        VECTOR 0x08, on_timer
        CONTROLLERS
        sti
        mov al, 1
        out 0x80, al
        ONE_SHOT TICKS
        mov cx, 1000            ; until the count is loaded
loaded: loop loaded
work:   mov al, 0               ; latch the count of counter 0
        out 0x43, al
        in al, 0x40
        mov ah, al
        in al, 0x40
        xchg al, ah
        cmp ax, TICKS           ; from 0 it goes on at FFFFh
        jbe work
        cmp byte [0x600], 0
        jne woken
        mov cx, WAY_TO_IDLE
idle:   loop idle
        hlt
woken:  mov al, 2
        out 0x80, al
        EXIT_WITH 0
on_timer:
        mov byte [0x600], 1
        mov al, 0x20
        out 0x20, al
        iret
        END_GUEST
