; Interrupts off, for ever.
%include "image.inc"
        cli
.here:  jmp .here
        END_GUEST
