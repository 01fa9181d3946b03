; The first megabytes once more at 3 GB, for data that is not looked at: this goes on below. Exit code 5.
%include "image.inc"
%include "protected.inc"
        cpu 586
        BEGIN_GUEST
        ENTER_FLAT
        ALSO_AT_3_GB
        EXIT_WITH 5
        align 8
        FLAT_TABLE
        bits 16
        END_GUEST
