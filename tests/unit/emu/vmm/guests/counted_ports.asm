; Counters of port accesses, in rings 0 to 2 (counter 0) and in ring 3 (counter 1), which this guest never enters. Exit code:
; counter 0 after five accesses, but for those of WRMSR and RDMSR, which are none.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        mov ecx, 0x11
        mov eax, 0x5D | 0x9D << 16
        xor edx, edx
        wrmsr
        out 0x80, al
        out 0x80, ax
        in al, 0x61
        in al, 0x61
        in ax, 0x40
        mov ecx, 0x13
        rdmsr
        mov [0x600], eax
        mov ecx, 0x12
        rdmsr
        out 0xF4, al
        cli
        hlt
        END_GUEST
