; A boot sector that reads the sector behind it through INT 13h, prints the text in it through INT 10h and ends with code 5.
%include "boot_sector.inc"
        mov ax, 0201h                   ; read one sector
        mov cx, 0002h                   ; cylinder 0, sector 2
        xor dh, dh
        mov bx, 7E00h
        int 13h
        jc failed
        mov si, 7E00h
next:   lodsb
        test al, al
        jz done
        mov ah, 0Eh
        mov bx, 7
        int 10h
        jmp next
done:   mov al, 5
        out 0F4h, al
failed: mov al, 1
        out 0F4h, al
        hlt
        times 510 - ($ - $$) db 0
        dw 0AA55h
        db "Hello from sector two", 13, 10, 0
        times 1024 - ($ - $$) db 0
