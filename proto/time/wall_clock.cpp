#include "proto/time/wall_clock.h"

#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sla::time {
namespace {

constexpr std::int64_t kNanosecondsPerMicrosecond = 1000;

// Microseconds of the kernel, which are never negative and never more than 16 s.
std::int64_t nanoseconds(long microseconds) {
    constexpr long kMax = 1'000'000'000;
    return std::clamp(microseconds, 0L, kMax) * kNanosecondsPerMicrosecond;
}

LeapState leap_from(int returned) {
    switch (returned) {
        case TIME_INS: return LeapState::kInsert;
        case TIME_DEL: return LeapState::kDelete;
        case TIME_OOP: return LeapState::kNow;
        case TIME_WAIT: return LeapState::kDone;
        default: return LeapState::kNone;
    }
}

std::string ns_text(std::int64_t ns) {
    return format_duration(ns * kPicosecondsPerNanosecond);
}

}  // namespace

WallClock wall_clock_from(const timex& kernel, int returned, int error_number) {
    WallClock wall;
    if (returned < 0) {
        const bool is_refused = error_number == EPERM || error_number == EACCES;
        wall.state = is_refused ? WallState::kRefused : WallState::kNotThere;
        return wall;
    }
    const bool is_synchronised = (kernel.status & STA_UNSYNC) == 0 && returned != TIME_ERROR;
    wall.state = is_synchronised ? WallState::kSynchronised : WallState::kUnsynchronised;
    wall.leap = leap_from(returned);
    wall.by_pps = (kernel.status & STA_PPSTIME) != 0 && (kernel.status & STA_PPSSIGNAL) != 0;
    wall.tai_offset_s = kernel.tai;
    wall.max_error_ns = nanoseconds(kernel.maxerror);
    wall.estimated_error_ns = nanoseconds(kernel.esterror);
    wall.offset_ns = (kernel.status & STA_NANO) != 0 ? kernel.offset : kernel.offset * kNanosecondsPerMicrosecond;
    return wall;
}

// Not by the C library: it calls clock_adjtime, which some sandboxes refuse where they let adjtimex read.
WallClock read_wall_clock() {
    timex kernel{};
    kernel.modes = 0;
    const long returned = ::syscall(SYS_adjtimex, &kernel);
    return wall_clock_from(kernel, static_cast<int>(returned), errno);
}

std::string text_of(const WallClock& wall) {
    switch (wall.state) {
        case WallState::kSynchronised: {
            std::string text = "synchronised, within \u00b1 " + ns_text(wall.max_error_ns) + " of UTC by the kernel";
            if (wall.by_pps) text += ", by a pulse per second";
            if (wall.leap == LeapState::kInsert || wall.leap == LeapState::kDelete) text += "; a leap second is due today";
            return text;
        }
        case WallState::kUnsynchronised: return "not synchronised: nothing bounds how far it is off UTC";
        case WallState::kRefused:
            return "not known: this process may not ask the kernel (a sandbox or a container forbids it)";
        case WallState::kNotThere: return "not known: this kernel does not tell";
        case WallState::kNotAsked: break;
    }
    return "not known: nobody asked the kernel";
}

std::string problem_of(const WallClock& wall) {
    if (wall.is_bounded() || wall.state == WallState::kNotAsked) return "";
    return "the wall clock is " + text_of(wall);
}

}  // namespace sla::time
