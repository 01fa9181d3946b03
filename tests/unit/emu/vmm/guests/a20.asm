; Address line 20 by port 92h and by the keyboard controller. FFFF:0510 is 100500h, or 500h while the line is off; what is seen
; there and here is noted at 600h. Exit code: the length of the list.
%include "image.inc"
%macro NOTE_AL 0
        mov [bx], al
        inc bx
        jmp %%settled           ; some CPUs switch the line at the next jump
%%settled:
%endmacro
%macro NOTE_BOTH 0
        mov al, [es:0x510]
        NOTE_AL
        mov al, [0x500]
        NOTE_AL
%endmacro
%macro FAST 1                   ; port 92h
        mov al, %1
        out 0x92, al
        jmp %%settled
%%settled:
%endmacro
%macro KEYBOARD 1               ; a command without an answer
        mov al, %1
        out 0x64, al
        jmp %%settled
%%settled:
%endmacro
        BEGIN_GUEST
        mov ax, 0xFFFF
        mov es, ax
        mov bx, 0x600
        mov byte [0x500], 0x11
        mov byte [es:0x510], 0x22
        NOTE_BOTH               ; on: two places
        FAST 0
        mov byte [es:0x510], 0x33
        NOTE_BOTH               ; off: one
        in al, 0x92
        NOTE_AL
        KEYBOARD 0xD0
        in al, 0x60
        and al, 2
        NOTE_AL
        KEYBOARD 0xDF
        NOTE_BOTH               ; on: the second megabyte is as it was
        in al, 0x92
        NOTE_AL
        KEYBOARD 0xD1
        mov al, 0x01            ; the output port: off, and no reset
        out 0x60, al
        jmp .off
.off:   mov word [0x4FF], 0x5544
        NOTE_BOTH
        mov ax, [es:0x50F]      ; a word that begins one byte before
        mov al, ah
        NOTE_AL
        FAST 2
        NOTE_BOTH
        mov ax, bx
        sub ax, 0x600
        out 0xF4, al
        cli
        hlt
        END_GUEST
