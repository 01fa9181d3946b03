; A boot sector that calls code in the sector behind it, then in the next one read to the same place, then in the first again, by INT
; 13h, whose bytes come by DMA. Each says its letter at port E9h. Ends with code 5.
CODE    equ 8000h
%include "boot_sector.inc"
        mov cl, 2
        call run
        mov cl, 3
        call run
        mov cl, 2
        call run
        mov al, 5
        out 0F4h, al
run:    mov ax, 0201h                   ; read one sector
        mov ch, 0
        xor dx, dx
        mov bx, CODE
        int 13h
        jc failed
        call CODE
        ret
failed: mov al, 1
        out 0F4h, al
        hlt
        times 510 - ($ - $$) db 0
        dw 0AA55h
        mov al, 'A'
        out 0E9h, al
        ret
        times 1024 - ($ - $$) db 0
        mov al, 'B'
        out 0E9h, al
        ret
        times 1536 - ($ - $$) db 0
