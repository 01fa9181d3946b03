; The interrupt controllers' rules, with IRQ 0 (timer), IRQ 4 (com1's empty transmitter) and IRQ 8 (clock). Each handler notes its
; number and what is in service to a list of bytes at 600h. Exit code: the length of the list.
%include "image.inc"
%macro NOTE 1
        mov [bx], byte %1
        inc bx
%endmacro
%macro NOTE_AL 0
        mov [bx], al
        inc bx
%endmacro
%macro IN_SERVICE 1             ; of the controller at that port, to AL
        mov al, 0x0B
        out %1, al
        in al, %1
%endmacro
%macro COM1 1                   ; interrupt enable: 2 raises IRQ 4 at once, 0 takes it back
        mov dx, 0x3F9
        mov al, %1
        out dx, al
%endmacro
        BEGIN_GUEST
        VECTOR 0x08, on_timer
        VECTOR 0x0C, on_serial
        VECTOR 0x70, on_clock
        CONTROLLERS
        mov al, 0xEA            ; IRQ 0, 2 and 4
        out 0x21, al
        mov al, 0xFE            ; IRQ 8
        out 0xA1, al
        mov dx, 0x3FC           ; com1 may interrupt
        mov al, 0x08
        out dx, al
        mov bx, 0x600

        ; 1. Both wait: the timer goes first, and the other not before its end.
        mov si, simple
        ONE_SHOT 20
        AWAIT_REQUEST
        COM1 2
        sti
        nop
        nop
        cli
        NOTE 0xFF
        ; 2. The timer comes into the serial handler, which has not ended.
        mov si, nested
        COM1 2
        sti
        nop
        nop
        cli
        NOTE 0xFF
        ; 3. Masked, it does not come; unmasked it does.
        mov si, simple
        mov al, 0xFA
        out 0x21, al
        COM1 2
        sti
        nop
        nop
        NOTE 0xFE
        mov al, 0xEA
        out 0x21, al
        jmp .settled            ; a controller takes its time; unicorn, up to the next jump
.settled:
        nop
        cli
        NOTE 0xFF
        ; 4. Taken back before it is seen: nothing comes.
        COM1 2
        COM1 0
        in al, 0x21             ; which takes longer than INT to fall
        sti
        nop
        nop
        cli
        NOTE 0xFF
        ; 5. The clock's comes through the second controller.
        mov al, 0x0A            ; the fastest that is sure to come: 976 us
        out 0x70, al
        mov al, 0x26
        out 0x71, al
        mov al, 0x0B
        out 0x70, al
        mov al, 0x42
        out 0x71, al
        sti
        hlt
        cli
        NOTE 0xFF
        mov ax, bx
        sub ax, 0x600
        out 0xF4, al
        cli
        hlt

simple: dw 0                    ; what the serial handler does in between: nothing, or wait for the timer
nested: dw 1

on_timer:
        NOTE 0x00
        IN_SERVICE 0x20
        NOTE_AL
        sti                     ; nothing lower comes now
        nop
        nop
        cli
        NOTE 0x01
        mov al, 0x20
        out 0x20, al
        iret
on_serial:
        NOTE 0x04
        IN_SERVICE 0x20
        NOTE_AL
        cmp word [cs:si], 0
        je .end
        ONE_SHOT 20
        AWAIT_REQUEST
        sti
        nop
        nop
        cli
.end:   COM1 0
        NOTE 0x05
        mov al, 0x64            ; specific end of IRQ 4
        out 0x20, al
        iret
on_clock:
        NOTE 0x08
        IN_SERVICE 0x20
        NOTE_AL
        IN_SERVICE 0xA0
        NOTE_AL
        mov al, 0x0C
        out 0x70, al
        in al, 0x71
        NOTE_AL
        mov al, 0x0B            ; no more of them
        out 0x70, al
        mov al, 0x02
        out 0x71, al
        mov al, 0x20
        out 0xA0, al
        out 0x20, al
        iret
        END_GUEST
