; Event-based sampling by the guest itself: counter 0 counts accesses to ports from -10 on, and the local APIC interrupts at each
; overflow. 600h: the places interrupted, words. Exit code: how many.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define APIC(register) [dword 0xFEE00000 + register]
%macro TEN_BEFORE_THE_END 0
        mov ecx, 0x12
        mov eax, -10
        mov edx, 0xFF
        wrmsr
%endmacro
        BEGIN_GUEST
        VECTOR 0x61, on_overflow
        REACH_4_GB
        mov dword APIC(0xF0), 0x1FF
        mov dword APIC(0x340), 0x61
        mov si, 0x600
        TEN_BEFORE_THE_END
        mov ecx, 0x11
        mov eax, 0x25D          ; ports, rings 0-2, the pin signals overflows
        xor edx, edx
        wrmsr
        sti
        mov bx, 100
        jmp storm
        times 0xF100 - ($ - $$ + 0xF000) nop
storm:  out 0x80, al
        dec bx
        jnz storm
        cli
        mov ax, si
        sub ax, 0x600
        shr ax, 1
        out 0xF4, al
        cli
        hlt
on_overflow:
        pushad
        mov bp, sp
        mov ax, [bp + 32]
        pushad
        TEN_BEFORE_THE_END
        popad
        mov dword APIC(0xB0), 0
        mov bp, sp
        mov [esi], ax
        popad
        add si, 2
        iret
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
