; The classical reset once more, from protected mode and with no access to a chip on the way.
%include "image.inc"
        lgdt [cs:pointer]
        mov eax, cr0
        or al, 1
        mov cr0, eax
        jmp 8:.protected
.protected:
        lidt [cs:no_table]
        int3
no_table:
        dw 0
        dd 0
        DESCRIPTOR_TABLE FIRMWARE_CODE
        END_GUEST
