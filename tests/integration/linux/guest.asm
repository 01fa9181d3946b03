; A boot sector that tells its clock and its markers through the ports of the house (agent/linux/tracefs/guest_port.h), 500
; times, then ends QEMU through isa-debug-exit at F4h.
bits 16
org 7C00h

rounds  equ 500

start:  mov si, rounds
again:  mov dx, 5A0h
        mov eax, 534C4103h      ; begin
        out dx, eax
        rdtsc
        mov dx, 5A4h            ; the guest's clock
        out dx, eax
        mov dx, 5A0h
        mov eax, 534C4104h      ; end
        out dx, eax
        dec si
        jnz again
        mov al, 0
        out 0F4h, al
        hlt

times 510-($-$$) db 0
        dw 0AA55h
