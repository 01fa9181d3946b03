; Code that changes before every call, 50,000 times, with DS in reach of 4 GB all the while. Exit code 1, or 2 where the code did what
; it was before or a register changed.
%include "image.inc"
%include "protected.inc"
%define COUNT 50000
        BEGIN_GUEST
        REACH_4_GB
        mov dword [0x7000], 0xCB0000B8  ; mov ax, 0; retf
        mov ebp, 0x12345678
        xor cx, cx
.next:  inc cx
        mov [dword 0x101000], cx        ; further than real mode reaches
        mov [0x7001], cx
        call 0:0x7000
        cmp ax, [dword 0x101000]
        jne .wrong
        cmp cx, COUNT
        jb .next
        cmp ebp, 0x12345678
        jne .wrong
        EXIT_WITH 1
.wrong: EXIT_WITH 2
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
