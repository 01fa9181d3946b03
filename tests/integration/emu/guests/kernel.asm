; A Multiboot kernel of its own: paging, two tasks in ring 3 that a 100 Hz timer switches between, system calls by INT 80h.
; Each task counts with system call 1 (EBX: its number); when both have counted far enough and the timer has switched often
; enough, the kernel prints what happened on port E9h and ends with code 9.
%include "protected.inc"
        bits 32
        org 100000h

MAGIC   equ 1BADB002h
FLAGS   equ 10003h
COUNTS  equ 200                         ; of each task
TICKS   equ 50

header: dd MAGIC, FLAGS, -(MAGIC + FLAGS)
        dd header, header, file_end, bss_end, start

start:  cmp eax, 2BADB002h
        jne wrong
        mov esp, stack0
        lgdt [gdt_pointer]
        jmp 8:flat
flat:   LOAD_FLAT_DATA
        mov word [tss + 8], 10h         ; ss0
        mov ax, 28h
        ltr ax
        call fill_pages
        call fill_idt
        FIRST_CONTROLLER 0FEh           ; the timer, nothing else
        mov al, 34h                     ; 100 Hz: mode 2, 11932
        out 43h, al
        mov al, 11932 & 255
        out 40h, al
        mov al, 11932 >> 8
        out 40h, al

        mov ecx, 0                      ; a frame for each task, as the timer's entry leaves it
        mov edi, kstack0_top
        mov esi, ustack0_top
        mov edx, task0
        call prepare
        mov [saved], edi
        mov edi, kstack1_top
        mov esi, ustack1_top
        mov edx, task1
        call prepare
        mov [saved + 4], edi
        mov dword [tss + 4], kstack0_top
        mov esp, [saved]
        popa
        iret

prepare:                                ; EDI: kernel stack, ESI: user stack, EDX: entry; gives EDI: saved ESP
        mov dword [edi - 4], 23h        ; ss
        mov [edi - 8], esi
        mov dword [edi - 12], 202h
        mov dword [edi - 16], 1Bh       ; cs
        mov [edi - 20], edx
        sub edi, 20 + 32
        ret

fill_pages:                             ; 4 MB one to one, for ring 3 too
        mov edi, page_table
        mov eax, 7
        mov ecx, 1024
.next:  stosd
        add eax, 1000h
        loop .next
        mov dword [page_directory], page_table + 7
        mov eax, page_directory
        mov cr3, eax
        mov eax, cr0
        or eax, 80000000h
        mov cr0, eax
        ret

fill_idt:
        mov eax, timer
        mov ebx, 20h
        mov cx, 8E00h
        call gate
        mov eax, syscall
        mov ebx, 80h
        mov cx, 0EE00h                  ; ring 3 may call it
        call gate
        mov eax, fault
        mov cx, 8E00h
        mov ebx, 13
        call gate
        mov ebx, 14
        call gate
        lidt [idt_pointer]
        ret
gate:   mov [idt + ebx * 8], ax
        mov word [idt + ebx * 8 + 2], 8
        mov [idt + ebx * 8 + 4], cx
        push eax
        shr eax, 16
        mov [idt + ebx * 8 + 6], ax
        pop eax
        ret

timer:  pusha
        inc dword [ticks]
        mov al, 20h
        out 20h, al
        mov eax, [current]
        mov [saved + eax * 4], esp
        xor eax, 1
        mov [current], eax
        mov esp, [saved + eax * 4]
        mov ecx, kstack0_top
        test eax, eax
        jz .known
        mov ecx, kstack1_top
.known: mov [tss + 4], ecx
        popa
        iret

syscall:
        pusha
        cmp ebx, [current]
        jne wrong                       ; a task that is not running called
        inc dword [counts + ebx * 4]
        cmp dword [counts], COUNTS
        jb .back
        cmp dword [counts + 4], COUNTS
        jb .back
        cmp dword [ticks], TICKS
        jae finish
.back:  popa
        iret

finish: mov esi, said_ticks
        mov eax, [ticks]
        call say
        mov al, 9
        out 0F4h, al
        hlt

fault:  mov esi, said_fault
        mov eax, cr2
        call say
wrong:  mov al, 3
        out 0F4h, al
        cli
        hlt

say:    push eax                        ; the text at ESI, then EAX in decimal
.text:  lodsb
        test al, al
        jz .number
        out 0E9h, al
        jmp .text
.number:
        pop eax
        xor ecx, ecx
        mov ebx, 10
.digit: xor edx, edx
        div ebx
        push edx
        inc ecx
        test eax, eax
        jnz .digit
.print: pop eax
        add al, '0'
        out 0E9h, al
        loop .print
        mov al, 10
        out 0E9h, al
        ret

task0:  mov ebx, 0
        jmp task
task1:  mov ebx, 1
task:   int 80h
        mov ecx, 2000
.work:  loop .work
        jmp task

said_ticks: db "two tasks in ring 3, ticks=", 0
said_fault: db "fault, cr2=", 0

        align 8
gdt:    dq 0, FLAT_CODE32, FLAT_DATA32
        dq 00CFFA000000FFFFh            ; ring 3 code, 1Bh
        dq 00CFF2000000FFFFh            ; ring 3 data, 23h
        dw 103, tss - header            ; TSS, 28h: base 100000h + its offset
        db 10h, 89h, 0, 0
gdt_pointer:
        dw $ - gdt - 1
        dd gdt
idt_pointer:
        dw 256 * 8 - 1
        dd idt
        align 4
tss:    times 104 db 0
file_end:

        absolute $
        alignb 4096
page_directory: resb 4096
page_table:     resb 4096
idt:            resb 256 * 8
ticks:          resd 1
current:        resd 1
counts:         resd 2
saved:          resd 2
                resb 2048
stack0:
                resb 2048
kstack0_top:
                resb 2048
kstack1_top:
                resb 2048
ustack0_top:
                resb 2048
ustack1_top:
bss_end:
