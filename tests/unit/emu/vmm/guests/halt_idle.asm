; HLT with interrupts on, but no timer runs.
%include "image.inc"
        sti
        hlt
        END_GUEST
