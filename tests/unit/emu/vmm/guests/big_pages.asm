; Pages of 4 MB, each where it is: the second read-only, the third not present, the fourth of ring 0 only. At 600h of each page fault:
; error code, CR2, place in CS; the handler opens the page. Then the entries' bits for accessed and dirty, and what was written. Needs
; 16 MB. Exit code: the faults.
%include "image.inc"
%include "protected.inc"
        cpu 586
%define DIRECTORY 0x24000
%define IDT 0x22000
%define TSS 0x23000
        BEGIN_GUEST
        cli
        ENTER_FLAT
        mov esp, 0x18000
        cld
        xor eax, eax
        mov edi, IDT
        mov ecx, 0x3000 / 4
        rep stosd
        GATE 0x0E, on_pf, 0x8E00
        GATE 0x60, on_end, 0xEE00
        lidt [LINEAR(idt_pointer)]
        LOAD_TASK
        mov dword [list], 0x600
        mov dword [DIRECTORY], 0x000087
        mov dword [DIRECTORY + 4], 0x400085
        mov dword [DIRECTORY + 8], 0x800086
        mov dword [DIRECTORY + 12], 0xC00083
        mov dword [DIRECTORY + 4 * 0x3FF], 0xFFC00087
        BIG_PAGES_ON DIRECTORY
        mov eax, cr0
        or eax, 0x10000                 ; WP
        mov cr0, eax
        jmp paged
paged:  mov dword [0x400010], 0x44444444
        mov eax, [0x7FFFFC]             ; its last word: no fault
        mov dword [0x87654C], 0x88888888
        mov dword [0xC00020], 0xCCCCCCCC
        mov ax, 0x23
        mov ds, ax
        ENTER_RING_3 ring3, 0x202
ring3:  mov eax, [0xC00020]
        mov [0x508], eax
        int 0x60

on_pf:  push eax                        ; behind it: error code, EIP, CS
        push edi
        mov edi, [list]
        mov eax, [esp + 8]
        mov [edi], eax
        mov eax, cr2
        mov [edi + 4], eax
        mov eax, [esp + 16]
        mov [edi + 8], eax
        add dword [list], 12
        mov edi, cr2
        shr edi, 22
        or dword [DIRECTORY + 4 * edi], 7
        mov eax, cr3
        mov cr3, eax
        pop edi
        pop eax
        add esp, 4
        iretd
on_end: mov eax, 0x10
        mov ds, ax
        mov edi, [list]
        xor ecx, ecx
.entry: mov eax, [DIRECTORY + 4 * ecx]
        and eax, 0x60
        mov [edi], eax
        add edi, 4
        inc ecx
        cmp ecx, 4
        jb .entry
        mov eax, [0x400010]
        mov [edi], eax
        mov eax, [0x87654C]
        mov [edi + 4], eax
        mov eax, [0x508]
        mov [edi + 8], eax
        mov eax, [list]
        sub eax, 0x600
        xor edx, edx
        mov ecx, 12
        div ecx
        out 0xF4, al
        cli
        hlt
list    equ 0x504
idt_pointer:
        dw 0x7FF
        dd IDT
        align 8
        FLAT_TABLE 0x00CFFA000000FFFF, 0x00CFF2000000FFFF, 0x0000890230000067
        bits 16
        END_GUEST
