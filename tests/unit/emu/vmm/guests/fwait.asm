; FWAIT does nothing, and is exception 7 while CR0's MP and TS are on. Exit code: 5.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        VECTOR 0x06, fail
        VECTOR 0x07, on_missing
        xor bx, bx              ; exceptions 7
        xor cx, cx
        mov eax, cr0
        and eax, ~0x0E          ; neither MP nor EM nor TS
        mov cr0, eax
        fwait
        inc cx
        fninit
        fwait
        inc cx
        mov eax, cr0
        or eax, 0x08            ; TS alone
        mov cr0, eax
        fwait
        inc cx
        or eax, 0x02            ; MP too
        mov cr0, eax
        fwait
        inc cx
        cmp bx, 1
        jne fail
        cmp cx, 4
        jne fail
        EXIT_WITH 5
fail:   EXIT_WITH 6

on_missing:
        inc bx
        cmp cx, 3
        jne fail
        clts
        iret
        END_GUEST
