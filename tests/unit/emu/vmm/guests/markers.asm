; Places markers of its own: by VMCALL, and by port 5A0h. Exit code 9 when every answer was right.
%include "image.inc"
        cpu 586
%macro CALL_VMM 0
        db 0x0F, 0x01, 0xC1     ; VMCALL
%endmacro
%macro EXPECT 1
        cmp eax, %1
        jne fail
%endmacro
        BEGIN_GUEST
        mov eax, 0x534C4100
        mov ecx, 0xF0000 + name
        CALL_VMM
        EXPECT 0                ; the first channel
        mov ebx, eax
        mov ecx, 3
.ticks: mov eax, 0x534C4101
        CALL_VMM
        EXPECT 0
        dec ecx
        jnz .ticks
        mov dx, 0x5A0
        mov eax, 0x534C4102
        mov ecx, 42
        out dx, eax
        in eax, dx
        EXPECT 0
        mov eax, 0x534C4103
        CALL_VMM
        mov eax, 0x534C4104
        CALL_VMM
        mov eax, 0x534C4107
        mov ecx, 0xF0000 + text
        CALL_VMM
        EXPECT 0
        mov eax, 0x534C4108     ; no such call
        CALL_VMM
        EXPECT 0xFFFFFFFF
        mov eax, 0x534C4101     ; no such channel
        mov ebx, 7
        CALL_VMM
        EXPECT 0xFFFFFFFF
        mov eax, 0x534C4100     ; a name where no memory is
        mov ecx, 0x80000000
        CALL_VMM
        EXPECT 0xFFFFFFFF
        EXIT_WITH 9
fail:   EXIT_WITH 1
name:   db "work", 0
text:   db "half done", 0
        END_GUEST
