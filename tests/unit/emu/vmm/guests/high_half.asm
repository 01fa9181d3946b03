; A kernel of the upper half: the first megabyte once more at 3 GB, and a jump there. Exit code 3 from there.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define DIRECTORY 0x24000
        BEGIN_GUEST
        ENTER_FLAT
        cld
        mov edi, DIRECTORY
        xor eax, eax
        mov ecx, 1024
        rep stosd
        mov dword [DIRECTORY], 0x83
        mov dword [DIRECTORY + 4 * 0x300], 0x83
        mov eax, cr4
        or al, 0x10
        mov cr4, eax
        mov eax, DIRECTORY
        mov cr3, eax
        mov eax, cr0
        or eax, 0x80000000
        mov cr0, eax
        mov eax, 0xC0000000 + LINEAR(high)
        jmp eax
high:   mov al, 3
        out 0xF4, al
        cli
        hlt
        align 8
        FLAT_TABLE
        bits 16
        END_GUEST
