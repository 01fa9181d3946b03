; A Multiboot kernel, at 100000h, that goes back to real mode and waits there for three ticks of the firmware's timer. Exit code:
; how many it saw at 40:6C.
        bits 32
        org 100000h

        lgdt [table_pointer]
        mov esi, real_mode
        mov edi, 8000h
        mov ecx, real_mode_end - real_mode
        rep movsb
        jmp 8:8000h + (half - real_mode)

table:  dq 0
        dq 00009A000000FFFFh            ; code of 16 bits, from 0
        dq 000092000000FFFFh
table_pointer:
        dw table_pointer - table - 1
        dd table

        bits 16
real_mode:
half:   mov ax, 10h
        mov ds, ax
        mov es, ax
        mov ss, ax
        mov eax, cr0
        and al, 0FEh
        mov cr0, eax
        jmp 0:8000h + (real - real_mode)
real:   xor ax, ax
        mov ds, ax
        mov ss, ax
        mov sp, 7000h
        o32 lidt [cs:8000h + (vectors - real_mode)]
        mov cx, 3
        sti
wait_for_tick:
        hlt
        loop wait_for_tick
        cli
        mov al, [46Ch]
        out 0F4h, al
        hlt
vectors:
        dw 3FFh
        dd 0
real_mode_end:
        times 1000h - ($ - $$) db 0
