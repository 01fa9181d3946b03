; Sections marked by the guest's header (emu/guest/include/sla_guest.inc): an empty one, and one of known work, five times each.
; In the work: 10 turns of INC DWORD and LOOP, an INC of a dword across its boundary, two IN, PUSH DS and POP DS.
; Exit code: 1 when reading TSC and counter 0 costs what the header measured, else 0.
%include "image.inc"
        cpu 586
%include "sla_guest.inc"
%define NAMED(x) (0xF0000 + x)
EMPTY   equ 0x600
WORK    equ 0x604
BEFORE  equ 0x620
AFTER   equ 0x628
COST    equ 0x630
RESULT  equ 0x634

        BEGIN_GUEST
        SLA_CHANNEL EMPTY, NAMED(empty_name)
        SLA_CHANNEL WORK, NAMED(work_name)
        mov si, 5
again:  SLA_BEGIN EMPTY
        SLA_END EMPTY
        SLA_BEGIN WORK
work_begins:
        mov cx, 10
.turn:  inc dword [0x640]
        loop .turn
        inc dword [0x651]
        in al, 0x61
        in al, 0x61
        push ds
        pop ds
work_ends:
        SLA_END WORK
        SLA_VALUE WORK, 42
        dec si
        jnz again

        mov ecx, 0x11                   ; counter 0: instructions in rings 0 to 2
        mov eax, 0x56
        xor edx, edx
        wrmsr
        SLA_PMC_OVERHEAD 0, COST
        SLA_PMC 0, BEFORE
        SLA_PMC 0, AFTER
        mov eax, [AFTER]
        sub eax, [BEFORE]
        cmp eax, [COST]
        mov [RESULT], eax
        mov al, 1
        je .end
        mov al, 0
.end:   out 0xF4, al
        cli
        hlt
empty_name:
        db "empty", 0
work_name:
        db "work", 0
        END_GUEST
