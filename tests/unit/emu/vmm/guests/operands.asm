; Operands of the guest's macros that name registers which the macros use: a channel's number at [NUMBERS + 4 * register], and values in
; registers and in memory. All are marked on one channel; the last value is 9.
%include "image.inc"
        cpu 586
%include "sla_guest.inc"
%define NAMED(x) (0xF0000 + x)
NUMBERS equ 0x600

        BEGIN_GUEST
        mov esp, 0x7000
        mov ebx, 2
        SLA_CHANNEL NUMBERS + ebx * 4, NAMED(name)
        mov eax, 2
        mov ecx, eax
        mov edx, eax
        SLA_TICK NUMBERS + eax * 4
        SLA_TICK NUMBERS + ecx * 4
        SLA_TICK NUMBERS + edx * 4
        SLA_VALUE NUMBERS + eax * 4, 3
        SLA_VALUE NUMBERS + ecx * 4, 4
        SLA_VALUE NUMBERS + edx * 4, [cs:five]
        mov ebx, 6
        SLA_VALUE NUMBERS + ecx * 4, ebx
        mov edx, 7
        SLA_VALUE NUMBERS + ecx * 4, edx
        mov eax, 8
        SLA_VALUE NUMBERS + ecx * 4, eax
        mov ebp, esp
        push dword 9
        SLA_VALUE NUMBERS + ecx * 4, [ebp - 4]
        lea si, [esp + 4]
        cmp si, bp
        jne .end
        cmp ebx, 6
        jne .end
        cmp edx, 7
        jne .end
        cmp ecx, 2
.end:   sete al
        out 0xF4, al
        cli
        hlt
five:   dd 5
name:   db "one", 0
        END_GUEST
