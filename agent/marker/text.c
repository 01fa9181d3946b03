/* Texts that are no literals, or are long. */
#include "agent/marker/event.h"

/* Where to cut text that does not fit, so that no UTF-8 character is split and "…" (3 bytes) fits. */
static size_t cut_point(const char* text) {
    size_t end = SLA_TEXT_BYTES - 3;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) end--;
    return end;
}

/* What write_text cannot do: another way to stamp, no space, a text that does not fit. */
static __attribute__((noinline, cold)) void put_text(sla_channel* channel, const char* text, size_t bytes, uintptr_t stack) {
    char cut[SLA_TEXT_BYTES];
    if (bytes > SLA_TEXT_BYTES) {
        size_t kept = cut_point(text);
        memcpy(cut, text, kept);
        memcpy(cut + kept, "\xe2\x80\xa6", 3);
        text = cut;
        bytes = kept + 3;
    }
    struct event event = {.code = SLA_CODE_TEXT, .width = SLA_WIDTH_TEXT, .value = bytes, .text = text, .text_bytes = bytes};
    event.stack = stack;
    sla_put(channel, &event);
}

/* A text that inline code does not know: copied, some 25 instructions more than a literal. */
static inline __attribute__((always_inline)) bool write_text(sla_channel* channel, const char* text, size_t bytes) {
    struct event event = {.code = SLA_CODE_TEXT, .width = SLA_WIDTH_TEXT, .value = bytes, .text = text, .text_bytes = bytes};
    return bytes <= SLA_TEXT_BYTES && write_event(channel, sla_ready_writer(channel, SLA_WIDTH_TEXT), &event);
}

void sla_text_bytes(sla_channel* channel, const char* text, size_t bytes) {
    if (sla_on(channel) && !write_text(channel, text, bytes)) {
        put_text(channel, text, bytes, (uintptr_t)__builtin_dwarf_cfa());
    }
}

void sla_text(sla_channel* channel, const char* text) {
    if (!sla_on(channel)) return;
    if (!text) text = "(null)";
    size_t bytes = strnlen(text, SLA_TEXT_BYTES + 1);
    if (!write_text(channel, text, bytes)) put_text(channel, text, bytes, (uintptr_t)__builtin_dwarf_cfa());
}
