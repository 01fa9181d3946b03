// One marked program that handed its segment over.
//
// Made by ProgramListener on the I/O thread, used by the draining thread alone; `ended` is the only field both touch.
#pragma once

#include "agent/source/residence.h"
#include "proto/ring/segment_view.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace sla::source {

struct Program {
    explicit Program(ring::SegmentView mapped) : view(std::move(mapped)) {}

    ring::SegmentView view;
    Residence residence;             // its pid is the kernel's word (SO_PEERCRED), not the program's
    std::uint64_t segment_id = 0;    // of the memfd: the same segment handed over again is known by it
    std::atomic<bool> ended{false};  // its socket is closed: whatever it wrote is in the segment by now
    // Notifies the program that its channels' controls have changed, or that rings want to be bigger; from any thread.
    // Empty: there is nobody to notify.
    std::function<void()> notify_controls;
};

}  // namespace sla::source
