; The classical reset once more, from protected mode and with no access to a chip on the way.
%include "image.inc"
%include "protected.inc"
        ENTER_PROTECTED
        lidt [cs:no_table]
        int3
no_table:
        dw 0
        dd 0
        DESCRIPTOR_TABLE FIRMWARE_CODE
        END_GUEST
