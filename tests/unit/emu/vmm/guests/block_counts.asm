; Work counted by hand, through pairs of events: CTR0 and CTR1 over a call of it and what stops them. Results from 600h on, two dwords
; a pair. In the work: strings of five turns and of none, a loop, locked cycles, INT n, CPUID, ports, a division by zero, a far call,
; jumps taken and not.
%include "image.inc"
        cpu 586
%macro SET 2                    ; register, value
        mov ecx, %1
        mov eax, %2
        xor edx, edx
        wrmsr
%endmacro
%macro COUNT 3                  ; event, event, where the results go
        SET 0x12, 0
        SET 0x13, 0
        SET 0x11, (0x40 | %1) | (0x40 | %2) << 16
        call work               ; 1
        mov ecx, 0x11           ; 1
        xor eax, eax            ; 1
        xor edx, edx            ; 1
        wrmsr                   ; 1
        mov ecx, 0x12
        rdmsr
        mov [%3], eax
        mov ecx, 0x13
        rdmsr
        mov [%3 + 4], eax
%endmacro

        BEGIN_GUEST
        VECTOR 0, on_division
        VECTOR 0x60, on_call
        COUNT 0x16, 0x12, 0x600         ; instructions, branches
        COUNT 0x0F, 0x1C, 0x608         ; segment loads, locked
        COUNT 0x1D, 0x27, 0x610         ; ports, hardware interrupts
        COUNT 0x0C, 0x16, 0x618         ; code lines, instructions
        EXIT_WITH 8

        align 32, db 0x90
work:   push es                 ; 1
        mov ax, ds              ; 1
        mov es, ax              ; 1
        mov cx, 5               ; 1
        mov di, 0x700           ; 1
        rep stosb               ; 1
        xor cx, cx              ; 1
        rep stosb               ; 1
        mov cx, 3               ; 1
.turn:  inc byte [0x710]        ; 3
        loop .turn              ; 3
        lock inc word [0x712]   ; 1
        xchg ax, [0x714]        ; 1
        int 0x60                ; 1, and the handler's 1
        cpuid                   ; 1
        in al, 0x61             ; 1
        in al, 0x61             ; 1
        mov bl, 0               ; 1
        div bl                  ; 1, and the handler's 5
        call 0xF000:away        ; 1, and 1
        stc                     ; 1
        jnc work                ; 1
        jc .last                ; 1
        hlt
.last:  pop es                  ; 1
        ret                     ; 1
away:   retf
on_call:
        iret
on_division:
        IRET_BEHIND_TWO_BYTES
        END_GUEST
