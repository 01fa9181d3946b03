; The demonstration guest: a firmware image of 4 KB that works on its own PC, and counts what it does.
;
; It programs interrupt controllers and timer, then for every timer tick: halts, shows a code at port 80h, now and then
; raises software interrupts, reads ports, divides by zero on purpose. After as many ticks as the word at `ticks` says (0: for
; ever) it prints its counts on the debug port in one line of name=value pairs, and ends through port F4h with code 0.
;
; Counted are instructions run. Not counted are those that print and end: ports 402h and F4h.

        bits 16
        cpu 386
        org 0xF000

%define MASTER          0x20            ; interrupt controllers
%define SLAVE           0xA0
%define EOI             0x20
%define PIT_COUNTER0    0x40
%define PIT_CONTROL     0x43
%define SYSTEM_B        0x61
%define POST            0x80
%define EXIT            0xF4
%define DEBUG           0x402
%define PIT_DIVISOR     1193            ; 1000.15 Hz

; All counters lie in segment 0.
absolute 0x600
counters:
n_irq0          resd 1
n_int21         resd 1
n_int40         resd 1
n_de            resd 1
n_out80         resd 1                  ; byte-wide
n_out80w        resd 1                  ; word-wide
n_out           resd 1                  ; to all ports but 402h and F4h
n_in            resd 1                  ; from all ports
n_hlt           resd 1
n_spurious      resd 1
n_unexpected    resd 1
counters_end:
sum21           resd 1                  ; of the AX that INT 21h was given
limit           resd 1

section .text

; OUT and IN, counted.
%macro OUTB 2
        out %1, %2
        inc dword [n_out]
%endmacro
%macro INB 2
        in %1, %2
        inc dword [n_in]
%endmacro

image:
        db "SLA DEMO"
ticks:  dd 200                          ; at offset 8; the loader may write another number here

start:
        cli
        cld
        xor ax, ax
        mov ds, ax
        mov es, ax
        mov ss, ax
        mov sp, 0x7000
        mov di, counters
        mov cx, (counters_end - counters) / 2
        rep stosw
        mov [sum21], dword 0
        mov eax, [cs:ticks]
        mov [limit], eax

        mov al, 0x01
        call post
        call fill_vectors
        mov al, 0x02
        call post
        call program_controllers
        mov al, 0x03
        call post
        call program_timer
        mov al, 0x04
        call post

; One round per timer tick.
main:
        cli
        mov eax, [limit]
        test eax, eax
        jz .wait
        cmp [n_irq0], eax
        jae finish
.wait:  inc dword [n_hlt]
        sti
        hlt
        call round
        jmp main

finish:
        cli
        mov al, 0xFF
        call post
        call print_counts
        xor al, al
        out EXIT, al
.rest:  cli
        hlt
        jmp .rest

; What is done after a tick, by the number of the tick.
round:
        mov eax, [n_irq0]
        call post                       ; low byte
        mov bx, ax

        test bl, 0x03                   ; every 4th: a word-wide code
        jnz .no_word
        mov ax, bx
        out POST, ax
        inc dword [n_out]
        inc dword [n_out80w]
.no_word:
        test bl, 0x01                   ; every 2nd: read ports
        jnz .no_reads
        INB al, SYSTEM_B
        call read_timer
.no_reads:
        mov ax, bx                      ; every 5th: INT 21h with AX = tick
        xor dx, dx
        mov cx, 5
        div cx
        test dx, dx
        jnz .no_21
        mov ax, bx
        int 0x21
.no_21:
        test bl, 0x07                   ; every 8th: INT 40h, which raises INT 21h itself
        jnz .no_40
        mov ax, 0x4000
        int 0x40
.no_40:
        test bl, 0x3F                   ; every 64th: a division by zero
        jnz .no_fault
        xor cl, cl
        mov ax, bx
        div cl
.no_fault:
        mov cx, 2000                    ; some work, so that the lanes show a busy time
.work:  ror eax, 3
        xor eax, 0x5A5A1234
        loop .work
        ret

; AL to port 80h.
post:
        OUTB POST, al
        inc dword [n_out80]
        ret

; Latches and reads counter 0.
read_timer:
        xor al, al
        OUTB PIT_CONTROL, al
        INB al, PIT_COUNTER0
        mov ah, al
        INB al, PIT_COUNTER0
        ret

; Every vector counts as unexpected, but for those we know.
fill_vectors:
        xor di, di
        mov cx, 256
.next:  mov word [di], on_unexpected
        mov word [di + 2], cs
        add di, 4
        loop .next
        mov word [0x00 * 4], on_divide_error
        mov word [0x08 * 4], on_irq0
        mov word [0x0F * 4], on_spurious
        mov word [0x21 * 4], on_int21
        mov word [0x40 * 4], on_int40
        ret

; Vectors 08h and 70h, as firmware of PCs has it; only IRQ 0 and the cascade are open.
program_controllers:
        mov al, 0x11                    ; ICW1: edges, cascade, ICW4 follows
        OUTB MASTER, al
        OUTB SLAVE, al
        mov al, 0x08                    ; ICW2: vectors
        OUTB MASTER + 1, al
        mov al, 0x70
        OUTB SLAVE + 1, al
        mov al, 0x04                    ; ICW3: slave at IR2
        OUTB MASTER + 1, al
        mov al, 0x02
        OUTB SLAVE + 1, al
        mov al, 0x01                    ; ICW4: 8086, normal end of interrupt
        OUTB MASTER + 1, al
        OUTB SLAVE + 1, al
        mov al, 0xFA                    ; OCW1: mask
        OUTB MASTER + 1, al
        mov al, 0xFF
        OUTB SLAVE + 1, al
        ret

program_timer:
        mov al, 0x34                    ; counter 0, low byte then high byte, mode 2
        OUTB PIT_CONTROL, al
        mov al, PIT_DIVISOR & 0xFF
        OUTB PIT_COUNTER0, al
        mov al, PIT_DIVISOR >> 8
        OUTB PIT_COUNTER0, al
        ret

; ---- handlers; DS may be anything in theory, here it is always 0 ----

on_irq0:
        push ax
        inc dword [n_irq0]
        mov al, EOI
        OUTB MASTER, al
        pop ax
        iret

on_spurious:
        inc dword [n_spurious]
        iret

on_int21:
        inc dword [n_int21]
        push eax
        movzx eax, ax
        add [sum21], eax
        pop eax
        iret

on_int40:
        inc dword [n_int40]
        int 0x21
        iret

on_divide_error:                        ; goes on behind the DIV CL, two bytes
        inc dword [n_de]
        push bp
        mov bp, sp
        add word [bp + 2], 2
        pop bp
        iret

on_unexpected:
        inc dword [n_unexpected]
        iret

; ---- printing, not counted ----

%macro COUNT 2                          ; name, counter
        %%name: db %1, 0
        dw %2
%endmacro

names:
        COUNT "irq0=", n_irq0
        COUNT " int21=", n_int21
        COUNT " int40=", n_int40
        COUNT " de=", n_de
        COUNT " out80=", n_out80
        COUNT " out80w=", n_out80w
        COUNT " out=", n_out
        COUNT " in=", n_in
        COUNT " hlt=", n_hlt
        COUNT " spurious=", n_spurious
        COUNT " unexpected=", n_unexpected
        COUNT " sum21=", sum21
        db 0

print_counts:
        mov dx, DEBUG
        mov si, names
.item:  cmp byte [cs:si], 0
        je .end
.name:  mov al, [cs:si]
        inc si
        test al, al
        jz .value
        out dx, al
        jmp .name
.value: mov bx, [cs:si]
        add si, 2
        mov eax, [bx]
        call print_number
        jmp .item
.end:   mov al, 10
        out dx, al
        ret

; EAX in decimal to the port DX.
print_number:
        xor cx, cx
        mov ebx, 10
.digit: push dx
        xor edx, edx
        div ebx
        mov di, dx
        pop dx
        push di
        inc cx
        test eax, eax
        jnz .digit
.write: pop ax
        add al, '0'
        out dx, al
        loop .write
        ret

; ---- the processor starts here ----
        times 0xFF0 - ($ - $$) db 0xFF
        jmp 0xF000:start
        times 0x1000 - ($ - $$) db 0xFF
