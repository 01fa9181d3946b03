; What the models of a Pentium's parts count over pieces of code counted by hand: two events each, as dwords from 600h on. The first is read at
; once, the second four instructions later, one of which writes to 600h and more.
%include "image.inc"
        cpu 586
%macro COUNT 2                  ; the events of CTR0 and CTR1, from the next instruction on
        mov ecx, 0x11
        mov eax, 0x40 | %1 | (0x40 | %2) << 16
        xor edx, edx
        wrmsr
%endmacro
%macro COUNTED 0
        mov ecx, 0x12
        rdmsr
        mov [di], eax
        mov ecx, 0x13
        rdmsr
        mov [di + 4], eax
        add di, 8
        mov ecx, 0x11
        xor eax, eax
        wrmsr
        mov ecx, 0x12
        wrmsr
        mov ecx, 0x13
        wrmsr
%endmacro
        BEGIN_GUEST
        mov ax, 0xB800
        mov es, ax
        mov di, 0x600

        COUNT 0x17, 0x16        ; in V: each JNZ beside its DEC. Instructions: 1, 200, and the five up to the second RDMSR
        mov bx, 100
.pairs: dec bx
        jnz .pairs
        COUNTED

        COUNT 0x09, 0x0A        ; both pipes at memory: five times, in the same bank twice
        mov ax, [0x1000]
        mov dx, [0x1004]
        mov ax, [0x1008]
        mov dx, [0x1014]
        mov ax, [0x1000]
        mov dx, [0x1004]
        mov ax, [0x1000]
        mov dx, [0x1020]
        mov ax, [0x1000]
        mov dx, [0x2000]
        COUNTED

        COUNT 0x03, 0x02        ; 64 lines of one page, twice
        mov bp, 2
.twice: mov si, 0x2000
        mov cx, 64
.lines: mov al, [si]
        add si, 32
        loop .lines
        dec bp
        jnz .twice
        COUNTED

        COUNT 0x03, 0x02        ; three lines that fight for two ways, ten times
        mov cx, 10
.fight: mov al, [0x2000]
        mov al, [0x3000]
        mov al, [0x4000]
        loop .fight
        COUNTED

        COUNT 0x04, 0x05        ; three writes that miss, four that hit
        mov [0x2000], al
        mov [0x2000], al
        mov [0x2000], al
        mov al, [0x2000]
        mov [0x2000], al
        mov [0x2001], al
        mov [0x2002], al
        mov [0x2003], al
        COUNTED

        COUNT 0x06, 0x29        ; a line that was written gives way to the third of its set
        mov al, [0x2000]
        mov [0x2000], al
        mov al, [0x3000]
        mov al, [0x4000]
        COUNTED

        jmp .code
        align 32
.code:  COUNT 0x0C, 0x0E        ; this line, two of NOPs and the one behind, all for the first time
        jmp .nops
        align 32
.nops:  times 64 nop
        COUNTED

        COUNT 0x13, 0x15        ; a loop: known from its second turn on, wrong at its first and its last
        mov bx, 100
.loop:  dec bx
        jnz .loop
        COUNTED

        COUNT 0x14, 0x1F        ; the same; and one address made in the clock before
        mov bx, 100
.again: dec bx
        jnz .again
        nop
        mov si, 0x2000
        mov al, [si]
        mov si, 0x2000
        nop
        nop
        nop
        mov al, [si]
        COUNTED

        COUNT 0x1E, 0x0D        ; the screen is not cached; one page of code
        mov [es:0], al
        mov [es:2], al
        mov [es:4], al
        COUNTED

        EXIT_WITH 10
        END_GUEST
