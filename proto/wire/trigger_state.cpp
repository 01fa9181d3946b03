#include "proto/wire/trigger_state.h"

namespace sla::wire {

const char* trigger_state_name(TriggerState state) {
    switch (state) {
        case TRIGGER_PRE_FILLING: return "pre-filling";
        case TRIGGER_ARMED: return "armed";
        case TRIGGER_FIRED: return "fired";
        case TRIGGER_POST_FILLING: return "post-filling";
        case TRIGGER_STOPPED: return "stopped";
        default: return "";
    }
}

}  // namespace sla::wire
