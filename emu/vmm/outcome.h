// How a run ended.
#pragma once

#include <cstdint>
#include <string>

namespace sla::vmm {

enum class Ending {
    kExit,         // the guest wrote its exit code to port F4h
    kOff,          // the guest switched the machine off
    kReset,        // the guest reset the machine
    kStopped,      // the stop signal
    kTimeUp,       // the time limit
    kHalted,       // HLT, and nothing can ever wake it
    kTripleFault,  // a fault while delivering a fault while delivering a fault: a PC resets its processor
    kFailed,       // the CPU cannot go on
};

struct Outcome {
    Ending ending = Ending::kStopped;
    std::uint8_t exit_code = 0;  // kExit
    std::string message;         // a sentence about the guest, with the place
};

}  // namespace sla::vmm
