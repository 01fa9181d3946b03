; Requests that are gone when the processor answers. Interrupts off, a request waits, the guest takes it back and lets interrupts
; in at once: the controllers answer level 7, with nothing in service. By a device's register, by the mask; through the second
; controller level 15, with the cascade in service. With one more access in between nothing comes.
; A host that is late may miss one: each is tried again. To a list at 600h. Exit code: the length of the list.
%include "image.inc"
%macro IN_SERVICE 1             ; of the controller at that port, to AL
        mov al, 0x0B
        out %1, al
        in al, %1
%endmacro
%macro AWAIT 2                  ; controller, bit of its request
        mov al, 0x0A
        out %1, al
%%poll: in al, %1
        test al, %2
        jz %%poll
%endmacro
%macro COM1 1                   ; interrupt enable: 2 raises IRQ 4 at once, 0 takes it back
        mov dx, 0x3F9
        mov al, %1
        out dx, al
%endmacro
%macro OPEN 0                   ; lets interrupts in; for a while, since some hosts of kvm look every 10 us
        mov bp, 200
        sti
%%more: cmp di, 0
        jne %%done
        dec bp
        jnz %%more
%%done: cli
%endmacro
%macro UNTIL_ANSWERED 1         ; goes back there until a spurious interrupt came, at most 1000 times
        cmp di, 0
        jne %%done
        dec cx
        jnz %1
%%done:
%endmacro
        BEGIN_GUEST
        mov cx, 0x100           ; every other vector is wrong
        mov di, 0
.fill:  mov word [di], on_wrong
        mov [di + 2], cs
        add di, 4
        loop .fill
        VECTOR 0x0F, on_level_7
        VECTOR 0x77, on_level_15
        CONTROLLERS
        mov al, 0xEB            ; IRQ 2 and 4
        out 0x21, al
        mov al, 0xFE            ; IRQ 8
        out 0xA1, al
        mov dx, 0x3FC           ; com1 may interrupt
        mov al, 0x08
        out dx, al
        mov bx, 0x600

        ; 1. The device takes it back.
        xor di, di              ; spurious interrupts of this part
        mov cx, 1000
device: COM1 2
        AWAIT 0x20, 0x10
        COM1 0
        OPEN
        UNTIL_ANSWERED device
        ; 2. The mask.
        xor di, di
        mov cx, 1000
mask:   mov al, 0xEB
        out 0x21, al
        COM1 2
        AWAIT 0x20, 0x10
        mov al, 0xFB
        out 0x21, al
        OPEN
        UNTIL_ANSWERED mask
        COM1 0
        ; 3. The clock's, through the second controller: reading its cause ends it.
        mov al, 0x0A            ; each 976 us
        out 0x70, al
        mov al, 0x26
        out 0x71, al
        mov al, 0x0B
        out 0x70, al
        mov al, 0x42
        out 0x71, al
        mov al, 0x0C
        out 0x70, al
        xor di, di
        mov cx, 1000
clock:  AWAIT 0xA0, 0x01
        in al, 0x71
        OPEN
        UNTIL_ANSWERED clock
        mov al, 0x0B            ; no more of them
        out 0x70, al
        mov al, 0x02
        out 0x71, al
        mov al, 0x0C
        out 0x70, al
        in al, 0x71
        ; 4. Time goes by in between.
        xor di, di
        COM1 2
        AWAIT 0x20, 0x10
        COM1 0
        in al, 0x21
        OPEN
        mov ax, di
        mov [bx], al
        inc bx
        mov ax, bx
        sub ax, 0x600
        out 0xF4, al
        cli
        hlt

on_level_7:
        inc di
        IN_SERVICE 0x20
        mov byte [bx], 7
        mov [bx + 1], al
        add bx, 2
        iret
on_level_15:
        inc di
        mov byte [bx], 15
        IN_SERVICE 0x20
        mov [bx + 1], al
        IN_SERVICE 0xA0
        mov [bx + 2], al
        add bx, 3
        mov al, 0x20            ; the first controller believed it
        out 0x20, al
        iret
on_wrong:
        EXIT_WITH 0xEE
        END_GUEST
