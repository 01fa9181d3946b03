; Programs the Pentium's counters and leaves what they say at 600h: CTR0 (instructions) and CTR1 (I/O) over a loop counted by hand,
; CTR0 by RDPMC, the general protection faults of MSRs that are not there, and a counter that overflows.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        VECTOR 13, on_gp
        mov ecx, 0x11
        mov eax, 0x005D0056     ; CTR1: 1Dh, CTR0: 16h, both in rings 0-2
        xor edx, edx
        wrmsr
        mov bx, 100             ; 1
.loop:  dec bx                  ; 100
        jnz .loop               ; 100
        out 0x80, al            ; 1
        mov ecx, 0x12           ; 1
        rdmsr                   ; 1
        mov [0x600], eax
        mov ecx, 0x13
        rdmsr
        mov [0x604], eax
        mov ecx, 0x11           ; stop both
        xor eax, eax
        wrmsr
        mov ecx, 0x12
        rdmsr
        mov [0x608], eax
        xor ecx, ecx
        db 0x0F, 0x33           ; RDPMC
        mov [0x60C], eax
        mov ecx, 0x0F           ; reserved
        rdmsr
        mov ecx, 0x14           ; beyond the last
        rdmsr
        mov ecx, 0x12           ; five before the end
        mov eax, 0xFFFFFFFB
        mov edx, 0xFF
        wrmsr
        mov ecx, 0x11
        mov eax, 0x0256         ; instructions, pin at overflow
        xor edx, edx
        wrmsr
        nop
        nop
        nop
        nop
        nop
        nop
        xor eax, eax
        wrmsr
        mov ecx, 0x12
        rdmsr
        mov [0x614], eax
        mov [0x618], edx
        mov ecx, 0x11           ; external snoops: not offered
        mov eax, 0x47
        wrmsr
        EXIT_WITH 6
on_gp:  inc dword [0x610]
        mov bp, sp
        add word [bp], 2
        iret
        END_GUEST
