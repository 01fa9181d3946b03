; A .COM program: says what it was called with, waits for two ticks by its own vector 1Ch, and ends with code 7 when all is well.
        bits 16
        cpu 386
        org 100h
        mov dx, hello
        mov ah, 09h
        int 21h
        movzx cx, byte [80h]
        mov si, 81h
.tail:  jcxz .called
        lodsb
        mov ah, 0Eh
        int 10h
        dec cx
        jmp .tail
.called:
        mov ax, 351Ch
        int 21h
        mov ax, es
        cmp ax, 0F000h
        jne wrong
        mov dx, on_tick
        mov ax, 251Ch
        int 21h
.wait:  hlt
        cmp byte [ticks], 2
        jb .wait
        mov ah, 77h                     ; no such function
        int 21h
        jnc wrong
        mov dl, '!'
        mov ah, 02h
        int 21h
        mov ax, 4C07h
        int 21h
wrong:  ret                             ; by INT 20h: code 0
on_tick:
        inc byte [cs:ticks]
        iret
ticks:  db 0
hello:  db "Hello,$"
