; A kernel of the upper half: the first megabyte once more at 3 GB, and a jump there. Exit code 3 from there.
%include "image.inc"
%include "protected.inc"
        cpu 586
        BEGIN_GUEST
        ENTER_FLAT
        ALSO_AT_3_GB
        mov eax, 0xC0000000 + LINEAR(high)
        jmp eax
high:   EXIT_WITH 3
        align 8
        FLAT_TABLE
        bits 16
        END_GUEST
