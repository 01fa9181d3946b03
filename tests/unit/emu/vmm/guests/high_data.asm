; The first megabytes once more at 3 GB, for data that is not looked at: this goes on below. Exit code 5.
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
        mov al, 5
        out 0xF4, al
        cli
        hlt
        align 8
        FLAT_TABLE
        bits 16
        END_GUEST
