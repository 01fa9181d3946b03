; Interrupts that the processor sends itself by its local APIC: to its own number, by the shorthands for itself and for all, to a logical
; destination; not to the others, nor to another number. Then two while interrupts are off, of which the higher goes first, one that waits
; for the task priority, one that waits for another's end, and an NMI. At 600h the vectors in the order in which they were served, at 620h
; what the request and service registers had meanwhile. Exit code: how many were served.
%include "image.inc"
%include "protected.inc"
        cpu 386
%define APIC 0xFEE00000
%macro APIC_WRITE 2
        mov dword [dword APIC + %1], %2
%endmacro
%macro SEND 1
        APIC_WRITE 0x300, %1
%endmacro
%macro AWAIT 1                          ; so many served
%%wait: cmp di, 0x600 + %1
        jb %%wait
%endmacro
%macro NOTE_REGISTER 1
        mov eax, [dword APIC + %1]
        mov [es:si], eax
        add si, 4
%endmacro
        BEGIN_GUEST
        VECTOR 0x02, on_2
        VECTOR 0x50, on_50
        VECTOR 0x51, on_51
        VECTOR 0x60, on_60
        VECTOR 0x71, on_71
        xor dx, dx
        mov es, dx
        REACH_4_GB
        mov di, 0x600
        mov si, 0x620
        APIC_WRITE 0xF0, 0x1FF          ; on
        APIC_WRITE 0xE0, 0xFFFFFFFF     ; flat
        APIC_WRITE 0xD0, 0x04000000     ; its logical destination
        APIC_WRITE 0x310, 0
        sti
        SEND 0x50                       ; it is number 0
        AWAIT 1
        APIC_WRITE 0x310, 0x01000000
        SEND 0x50                       ; no: number 1
        SEND 0x51 | 1 << 18             ; itself
        AWAIT 2
        SEND 0x60 | 2 << 18             ; all
        AWAIT 3
        SEND 0x60 | 3 << 18             ; no: all others
        APIC_WRITE 0x310, 0x06000000
        SEND 0x71 | 1 << 11             ; logical 2 and 4
        AWAIT 4
        APIC_WRITE 0x310, 0x0B000000
        SEND 0x71 | 1 << 11             ; no: logical 1, 2 and 8
        cli
        SEND 0x50 | 1 << 18
        SEND 0x60 | 1 << 18
        NOTE_REGISTER 0x220             ; requested: 50h
        NOTE_REGISTER 0x230             ; 60h
        sti
        AWAIT 6
        APIC_WRITE 0x80, 0x60
        SEND 0x60 | 1 << 18
        NOTE_REGISTER 0x230             ; 60h waits
        APIC_WRITE 0x80, 0x50
        AWAIT 7
        APIC_WRITE 0x80, 0
        mov byte [es:nested], 1
        SEND 0x60 | 1 << 18             ; and in it 71h, and behind it 51h
        AWAIT 10
        cli
        SEND 0x400 | 1 << 18            ; an NMI, though they are off
        AWAIT 11
        mov ax, di
        sub ax, 0x600
        out 0xF4, al
        cli
        hlt
nested  equ 0x500
%macro ON 1
on_%1:  mov byte [es:di], 0x%1
        inc di
        APIC_WRITE 0xB0, 0
        iret
%endmacro
        ON 50
        ON 51
        ON 71
on_2:   mov byte [es:di], 2
        inc di
        iret
on_60:  mov byte [es:di], 0x60
        inc di
        cmp byte [es:nested], 0
        je .end
        mov byte [es:nested], 0
        sti
        SEND 0x71 | 1 << 18
        AWAIT 9
        SEND 0x51 | 1 << 18
        NOTE_REGISTER 0x130             ; served: 60h
        NOTE_REGISTER 0x220             ; 51h waits
        cli
.end:   APIC_WRITE 0xB0, 0
        iret
        DESCRIPTOR_TABLE FLAT_DATA
        END_GUEST
