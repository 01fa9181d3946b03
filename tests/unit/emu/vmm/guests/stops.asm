; What a debugger may get wrong: flags that are pushed, popped and returned to, shadows, software interrupts, repeated moves,
; port accesses, CPUID, a write to CR0, a timer's interrupt. What the guest finds is noted from 600h on; exit code 7.
%include "image.inc"
        cpu 586
        BEGIN_GUEST
        mov es, ax
        VECTOR 0x08, on_timer
        VECTOR 0x21, on_call
        CONTROLLERS
        mov di, 0x600
        pushf                   ; as they are, without a debugger's flag
        pop ax
        stosw
        mov ax, 0x0246
        push ax
        popf
        cli
        pushf
        pop ax
        stosw
first:  int 0x21
        mov si, 0x600
        mov cx, 4
        rep movsb               ; the same four bytes again
        xor eax, eax
        cpuid
        xchg ax, bx
        stosw
        mov eax, cr0
        or al, 2
        mov cr0, eax
        mov eax, cr0
        stosb
        mov al, 0x5A
        out 0x80, al
        in al, 0x80
        stosb
        mov ax, ss
        mov ss, ax
        mov sp, 0x7000
        xor bx, bx
        ONE_SHOT 20
        sti
.wait:  cmp bx, 1
        jne .wait
        cli
        ONE_SHOT 20
        sti
        hlt
        mov al, bl
        stosb
last:   EXIT_WITH 7
on_call:
        pushf
        pop ax
        stosw
        inc word [0x700]
        iret
on_timer:
        inc bx
        mov al, 0x20
        out 0x20, al
        iret
        END_GUEST
