/* An object that knows the header only; the program has the library. */
#include <sla/marker.h>

SLA_CHANNEL(plugin_channel, "guest.plugin");
SLA_CHANNEL(plugin_other, "guest.plugin.other");

void mark_in_plugin(void);

#ifdef SLA_GUEST_LAST_WORDS
/* Runs when the channels are forgotten. */
__attribute__((destructor(101))) static void say_last_words(void) {
    SLA_VALUE(plugin_channel, 10);
}
#endif

void mark_in_plugin(void) {
    for (int i = 0; i < 10; i++) SLA_VALUE(plugin_channel, i);
    SLA_TICK(plugin_other);
}
