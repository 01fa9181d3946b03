; Matches of breakpoints: DR0 at an instruction, DR1 at writes of a word, DR2 at reads and writes of a dword, none switched on in
; DR7. Notes counters 23h, 24h at 600h, then of a second round 25h, 26h.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        mov eax, 0xF0000 + watched
        mov dr0, eax
        mov eax, 0x640
        mov dr1, eax
        mov eax, 0x650
        mov dr2, eax
        mov eax, 0x0F500400             ; DR1: write, 2 bytes; DR2: read or write, 4 bytes
        mov dr7, eax
        mov eax, 0x63 | 0x64 << 16
        call count
        mov [0x600], eax
        mov [0x604], ebx
        mov eax, 0x65 | 0x66 << 16
        call count
        mov [0x608], eax
        mov [0x60C], ebx
        EXIT_WITH 0

; Counts what CESR = EAX says: counter 0 into EAX, counter 1 into EBX.
count:  xor edx, edx
        mov ecx, 0x11
        wrmsr
        xor eax, eax
        mov ecx, 0x12
        wrmsr
        mov ecx, 0x13
        wrmsr
        mov cx, 7
watched:
        nop
        loop watched
        mov [0x641], al                 ; in the word
        mov [0x63F], ax                 ; overlaps it
        mov [0x642], al                 ; behind it
        mov al, [0x640]                 ; a read
        mov al, [0x653]                 ; the dword's last byte
        mov [0x650], al
        mov al, [0x654]
        mov ecx, 0x13
        rdmsr
        mov ebx, eax
        mov ecx, 0x12
        rdmsr
        ret
        END_GUEST
