// What gives this program a capability that it lacks, in words for people.
#pragma once

#include <string>

namespace sla::linux {

// "setcap cap_dac_override,cap_perfmon+ep /usr/bin/sla-agent": with what the program's file has already, since setcap takes away what
// it does not name. `capability` as in <linux/capability.h>: CAP_DAC_OVERRIDE or CAP_PERFMON.
std::string setcap_advice(int capability);

}  // namespace sla::linux
