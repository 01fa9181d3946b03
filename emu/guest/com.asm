; Firmware of one purpose: leaves the PC as a BIOS would, timer at 18.2 Hz, and enters the .COM program that stands at 1000:0100 with the
; few services of BIOS and DOS that small programs use. Own work.
;
;   INT 20h         end with code 0                    INT 21h AH=30h  version: 5.0
;   INT 21h AH=02h  the character DL                   INT 21h AH=35h  vector AL to ES:BX
;           AH=09h  text at DS:DX up to '$'            INT 21h AH=4Ch  end with code AL
;           AH=25h  vector AL from DS:DX               INT 10h AH=0Eh  the character AL
;
; Text goes to port 402h. Other functions of INT 21h give carry and AX=1; other interrupts return.
        bits 16
        cpu 386
        org 0F000h

start:  cli
        cld
        xor ax, ax
        mov ds, ax
        mov es, ax
        xor di, di
        mov cx, 256
.vector:
        mov ax, ignore
        stosw
        mov ax, cs
        stosw
        loop .vector
        mov word [08h * 4], on_timer
        mov word [10h * 4], video
        mov word [20h * 4], finish
        mov word [21h * 4], dos
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
        mov al, 0FEh                    ; the timer only
        out 21h, al
        mov al, 0FFh
        out 0A1h, al
        mov al, 36h                     ; counter 0: mode 3, 65536
        out 43h, al
        xor al, al
        out 40h, al
        out 40h, al
        mov ax, 1000h
        mov ds, ax
        mov es, ax
        mov ss, ax
        mov sp, 0FFFEh
        mov word [0], 20CDh             ; INT 20h, where a RET of the program leads
        mov word [0FFFEh], 0
        xor ax, ax
        sti
        jmp 1000h:0100h

ignore: iret

on_timer:
        push ax
        push ds
        xor ax, ax
        mov ds, ax
        inc dword [46Ch]
        int 1Ch
        mov al, 20h
        out 20h, al
        pop ds
        pop ax
        iret

video:  cmp ah, 0Eh
        jne ignore
        call print
        iret

print:  push dx                         ; AL
        mov dx, 402h
        out dx, al
        pop dx
        ret

dos:    cmp ah, 02h
        je .character
        cmp ah, 09h
        je .text
        cmp ah, 25h
        je .set
        cmp ah, 30h
        je .version
        cmp ah, 35h
        je .get
        cmp ah, 4Ch
        je end_with
        cmp ah, 00h
        je finish
        mov ax, 1                       ; no such function
        push bp
        mov bp, sp
        or byte [bp + 6], 1             ; carry, in the caller's flags
        pop bp
        iret
.character:
        mov al, dl
        call print
        iret
.text:  push si
        mov si, dx
.next:  lodsb
        cmp al, '$'
        je .done
        call print
        jmp .next
.done:  pop si
        iret
.set:   push es
        push bx
        call entry
        mov [es:bx], dx
        mov [es:bx + 2], ds
        pop bx
        pop es
        iret
.get:   call entry
        les bx, [es:bx]
        iret
.version:
        mov ax, 0005h
        iret
entry:  xor bx, bx                      ; ES:BX: the vector AL
        mov es, bx
        mov bl, al
        shl bx, 2
        ret

finish: xor al, al
end_with:
        out 0F4h, al
        cli
        hlt

        times 0FF0h - ($ - $$) db 0F4h
        jmp 0F000h:start
        times 1000h - ($ - $$) db 0
