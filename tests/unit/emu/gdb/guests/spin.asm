; Counts at 600h until somebody writes 1 at 602h; exit code 7.
%include "image.inc"
        BEGIN_GUEST
again:  inc word [0x600]
        cmp byte [0x602], 1
        jne again
        EXIT_WITH 7
        END_GUEST
