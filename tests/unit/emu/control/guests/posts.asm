; Counts at port 80h from 1 on, five times; exit code 7.
%include "image.inc"
        BEGIN_GUEST
        xor ax, ax
.next:  inc al
        out 0x80, al
        inc ax
        dec ax
        cmp al, 5
        jne .next
        EXIT_WITH 7
        END_GUEST
