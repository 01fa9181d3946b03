; What CPUID says in leaf 1 (EDX at 600h), and MSR 1Bh: read (608h), written back, off (register 30h of the local APIC at 610h),
; moved to FED40000h (there at 614h, where it was at 618h), back again (61Ch). Then a reserved bit: one general protection fault.
; Exit code: those faults.
%include "image.inc"
%include "protected.inc"
        cpu 586
        BEGIN_GUEST
        VECTOR 13, on_gp
        REACH_4_GB
        xor ax, ax
        mov es, ax
        mov eax, 1
        cpuid
        mov [es:0x600], edx
        mov ecx, 0x1B
        rdmsr
        mov [es:0x608], eax
        wrmsr                           ; as it was
        and ah, 0xF7                    ; off
        wrmsr
        mov eax, [dword 0xFEE00030]
        mov [es:0x610], eax
        mov eax, 0xFED40900
        wrmsr
        mov eax, [dword 0xFED40030]
        mov [es:0x614], eax
        mov eax, [dword 0xFEE00030]
        mov [es:0x618], eax
        mov eax, 0xFEE00900
        wrmsr
        mov eax, [dword 0xFEE00030]
        mov [es:0x61C], eax
        mov eax, 0xFEE00901
        wrmsr
        mov al, [es:0x620]
        out 0xF4, al
        cli
        hlt
on_gp:  inc byte [es:0x620]
        mov bp, sp
        add word [bp], 2
        iret
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
