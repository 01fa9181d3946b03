; Counter 2 of the timer in its six modes, seen at port 61h (bit 5: its output, bit 0: its gate) and by what it counts. A host that
; runs nothing for 55 ms may let the first half of a mode go unseen: then the mode begins again. Exit code: the modes.
%include "image.inc"
%macro GATE 1
        in al, 0x61
        and al, 0xFC
        or al, %1
        out 0x61, al
%endmacro
%macro PROGRAM 2                ; mode, count
        mov al, 0xB0 | %1 << 1
        out 0x43, al
        mov al, (%2) & 0xFF
        out 0x42, al
        mov al, (%2) >> 8
        out 0x42, al
%endmacro
%macro NOTE_MODE 0              ; by read-back: access and mode bits
        mov al, 0xE8
        out 0x43, al
        in al, 0x42
        and al, 0x3E
        mov [bx], al
        inc bx
%endmacro
%macro COUNT 0                  ; latched, to AX
        mov al, 0x80
        out 0x43, al
        in al, 0x42
        mov ah, al
        in al, 0x42
        xchg al, ah
%endmacro
%macro OUTPUT 0                 ; ZF: low
        in al, 0x61
        test al, 0x20
%endmacro
%macro AWAIT_HIGH 0
%%wait: OUTPUT
        jz %%wait
%endmacro
%macro AWAIT_LOW 0
%%wait: OUTPUT
        jnz %%wait
%endmacro
%macro AWAIT_WRAP 0             ; the counter goes on from FFFFh behind its end
%%wait: COUNT
        cmp ax, 1000
        jbe %%wait
%endmacro
        BEGIN_GUEST
        mov bx, 0x600
        GATE 1
mode0:  PROGRAM 0, 0xFFFF       ; low until the end of the count
        OUTPUT
        jnz mode0
        NOTE_MODE
        AWAIT_HIGH
mode1:  GATE 0
        PROGRAM 1, 0xFFFF       ; high, and low from a rising gate on
        OUTPUT
        jz failed
        GATE 1
        OUTPUT
        jnz mode1
        NOTE_MODE
        AWAIT_HIGH
        PROGRAM 2, 1000         ; counts again and again; its low clock is too short to see
        NOTE_MODE
        AWAIT_HIGH
        COUNT
        mov dx, ax
.down:  COUNT                   ; down
        cmp ax, dx
        jae .down
        mov dx, ax
.up:    COUNT                   ; and up again by the count
        cmp ax, dx
        jbe .up
        cmp ax, 1000
        ja failed
        PROGRAM 3, 1000         ; half high, half low
        NOTE_MODE
        AWAIT_HIGH
        AWAIT_LOW
        AWAIT_HIGH
        PROGRAM 4, 1000         ; one clock low at the end, then on
        NOTE_MODE
        OUTPUT
        jz failed
        AWAIT_WRAP
        GATE 0
        PROGRAM 5, 1000         ; the same from a rising gate on
        NOTE_MODE
        GATE 1
        AWAIT_WRAP
        OUTPUT
        jz failed
        mov ax, bx
        sub ax, 0x600
        out 0xF4, al
        cli
        hlt
failed: EXIT_WITH 99
        END_GUEST
