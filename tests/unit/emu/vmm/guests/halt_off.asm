; HLT with interrupts off.
%include "image.inc"
        cli
        hlt
        END_GUEST
