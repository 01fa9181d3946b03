; A Multiboot kernel as those that test QEMU begin: it writes MSR 1Bh back and switches its local APIC on, tries pc-testdev's echo port,
; and has its line 4 raise three interrupts, during HLT. Prints what it saw on port E9h; exit code: the interrupts.
%include "protected.inc"
        bits 32
        org 100000h

MAGIC   equ 1BADB002h
FLAGS   equ 10003h
VECTOR  equ 24h                         ; line 4

header: dd MAGIC, FLAGS, -(MAGIC + FLAGS)
        dd header, header, file_end, file_end, start

start:  mov esp, 200000h
        lgdt [gdt_pointer]
        jmp 8:flat
flat:   LOAD_FLAT_DATA
        mov eax, on_line_4
        mov [idt + 8 * VECTOR], ax
        mov word [idt + 8 * VECTOR + 2], 8
        mov word [idt + 8 * VECTOR + 4], 8E00h
        shr eax, 16
        mov [idt + 8 * VECTOR + 6], ax
        lidt [idt_pointer]
        FIRST_CONTROLLER 0EFh           ; line 4 only

        mov ecx, 1Bh
        rdmsr
        or ah, 8
        wrmsr
        mov dword [0FEE000F0h], 1FFh
        cmp dword [0FEE00030h], 50014h
        jne wrong
        mov dx, 0E0h
        mov eax, 0CAFE1234h
        out dx, eax
        in eax, dx
        cmp eax, 0CAFE1234h
        jne wrong
        out 0E4h, eax                   ; flush a page
        mov edi, 3
again:  mov dx, 2004h
        mov al, 1
        out dx, al
        sti
        hlt
        cli
        dec edi
        jnz again
        mov esi, right_text
        jmp print
wrong:  mov esi, wrong_text
print:  lodsb
        test al, al
        jz over
        out 0E9h, al
        jmp print
over:   mov al, [served]
        out 0F4h, al
        cli
        hlt

on_line_4:
        push eax
        push edx
        inc byte [served]
        mov dx, 2004h
        xor al, al
        out dx, al
        mov al, 20h
        out 20h, al
        pop edx
        pop eax
        iret

served: db 0
right_text: db "its APIC is on, the echo came back", 0
wrong_text: db "something is not as it should be", 0
        align 8
gdt:    dq 0, FLAT_CODE32, FLAT_DATA32
gdt_pointer:
        dw gdt_pointer - gdt - 1
        dd gdt
idt_pointer:
        dw idt_end - idt - 1
        dd idt
        align 8
idt:    times 8 * (VECTOR + 1) db 0
idt_end:
file_end:
