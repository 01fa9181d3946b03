; The work of work.inc. Where the byte at offset FE4h of the image is 1 both counters count before, a little, and are switched off again.
%include "image.inc"
%include "work.inc"
        cpu 586
        BEGIN_GUEST
        cmp byte [cs:with_counters], 0
        je .begin
        mov ecx, 0x11
        mov eax, 0xD6 | 0xDD << 16      ; instructions, port accesses
        xor edx, edx
        wrmsr
        in al, 0x61
        xor eax, eax
        wrmsr
.begin: WORK
with_counters:
        db 0
        END_GUEST
