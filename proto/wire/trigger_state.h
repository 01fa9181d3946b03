// What a trigger does now, in the words that people read everywhere.
#pragma once

#include "proto/wire/capture.pb.h"

namespace sla::wire {

const char* trigger_state_name(TriggerState state);  // "armed"; "": not known

}  // namespace sla::wire
