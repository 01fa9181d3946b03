; Code that writes into the block that it stands in, 1,000 times, then the same code that writes elsewhere as often; and one write from the
; first instruction of a block, of what stands there already. At 600h and 604h: the time-stamp counter's ticks of each loop of five instructions.
%include "image.inc"
        BEGIN_GUEST
        mov es, ax
        mov di, 0x7100
        mov cx, code_end - code
        mov si, code
        cld
        cs rep movsb
        call 0:0x7100
        mov word [cs:here], 0x9090
here:   nop
        nop
        EXIT_WITH 9

%define IN_RAM(label) (0x7100 + label - code)
code:   db 0x0F, 0x31           ; rdtsc
        mov [0x600], eax
        mov cx, 1000
.own:   inc byte [IN_RAM(.value) + 2]
        nop
.value: db 0x80, 0xC3, 0        ; add bl, the byte
        dec cx
        jnz .own
        db 0x0F, 0x31
        sub eax, [0x600]
        mov [0x600], eax
        db 0x0F, 0x31
        mov [0x604], eax
        mov cx, 1000
.other: inc byte [0x6000]
        nop
        db 0x80, 0xC3, 0
        dec cx
        jnz .other
        db 0x0F, 0x31
        sub eax, [0x604]
        mov [0x604], eax
        mov [0x608], bl
        retf
code_end:
        END_GUEST
