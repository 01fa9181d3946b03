; Every kind of access to a chip in memory, the local APIC: reads, writes, both in one, string instructions in both directions,
; repeated ones, with overrides and far from the start of a segment. Exit code 5.
%include "image.inc"
%include "protected.inc"
        BEGIN_GUEST
        REACH_4_GB
        or al, 1                ; ES too
        mov cr0, eax
        mov es, dx
        and al, 0xFE
        mov cr0, eax
        mov esi, 0xFEE00000
        mov eax, [esi + 0x20]
        mov dword [dword 0xFEE000F0], 0x1FF
        or dword [esi + 0xF0], 0x100
        mov ecx, 0x80 / 4
        mov [esi + ecx * 4], eax
        mov eax, [dword 0xFEE000F0]
        xchg eax, [esi + 0x80]
        add dword [esi + 0x80], byte 0x10
        and [esi + 0x80], eax
        cmp dword [esi + 0x80], 1
        cld
        mov edi, 0xFEE00000 + 0x80
        a32 stosd
        std
        mov edi, 0xFEE00000 + 0x80
        a32 stosd
        cld
        mov edi, 0xFEE00000 + 0x320
        mov ecx, 3
        mov eax, 0x10000
        a32 rep stosd
        mov esi, 0xFEE00000 + 0x20
        mov edi, 0x600
        mov ecx, 2
        a32 rep movsd
        mov esi, 0x600
        mov edi, 0xFEE00000 + 0x80
        a32 movsd
        mov edi, 0xFEE00000
        test dword [es:edi + 0x80], 1
        bt dword [edi + 0x80], 3
        bts dword [edi + 0x80], 4
        EXIT_WITH 5
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
