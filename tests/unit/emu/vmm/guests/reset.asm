; Starts itself again by every way there is, in turn; memory keeps the count, at 500h. Each start notes at 600h: CR0's low byte, com1's
; scratch register, the first interrupt mask, the state of address line 20. Exit code: the starts.
%include "image.inc"
%include "protected.inc"
%define STARTS 7
        BEGIN_GUEST
        mov bx, [0x500]
        inc word [0x500]
        shl bx, 2
        mov eax, cr0
        mov [0x600 + bx], al
        mov dx, 0x3FF
        in al, dx
        mov [0x601 + bx], al
        in al, 0x21
        mov [0x602 + bx], al
        in al, 0x92
        mov [0x603 + bx], al
        shr bx, 1
        jmp [cs:ways + bx]
ways:   dw first, keyboard, processor, board, fault, inside, last

first:  mov dx, 0x3FF           ; something for chips to keep or to lose
        mov al, 0x5A
        out dx, al
        mov al, 0xA5
        out 0x21, al
        mov al, 0x01            ; port 92h: reset, and address line 20 off
        out 0x92, al
        jmp $
keyboard:
        mov al, 0xFE
        out 0x64, al
        jmp $
processor:
        mov dx, 0xCF9
        mov al, 0x04
        out dx, al
        jmp $
board:  mov dx, 0xCF9
        mov al, 0x00
        out dx, al
        mov al, 0x06
        out dx, al
        jmp $
fault:  ENTER_PROTECTED         ; where the table of interrupts has an end on every host
        lidt [cs:nothing]
        int3
inside: ENTER_PROTECTED
        mov al, 0x03
        out 0x92, al
        jmp $
last:   EXIT_WITH STARTS

nothing:
        dw 0
        dd 0
        DESCRIPTOR_TABLE FIRMWARE_CODE
        END_GUEST
