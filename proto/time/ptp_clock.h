// A PTP hardware clock (/dev/ptp*) set against CLOCK_REALTIME. What the device reads is no bound of UTC by itself: whoever
// disciplines it (ptp4l, a hypervisor) must vouch for it, by SLA_PTP_ERROR in the agent's environment ("200ns").
#pragma once

#include "proto/time/wall_clock.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::time {

// The wall clock read, the device, the wall clock again.
struct PtpSample {
    std::int64_t before_ns = 0;
    std::int64_t device_ns = 0;
    std::int64_t after_ns = 0;
};

struct PtpReading {
    std::int64_t offset_ns = 0;  // the device's time less CLOCK_REALTIME
    std::int64_t error_ns = 0;
};

// By the tightest of the samples; nothing when there is none, or none that makes sense.
std::optional<PtpReading> reading_of(const std::vector<PtpSample>& samples);

class PtpClock {
public:
    // The first of DIRECTORY's ptp0 to ptp15 that can be opened; null: none. `why` says what was found.
    static std::unique_ptr<PtpClock> open(std::string& why, const std::string& directory = "/dev");
    PtpClock(std::int32_t number, int fd) : number_(number), fd_(fd) {}
    ~PtpClock();
    PtpClock(const PtpClock&) = delete;
    PtpClock& operator=(const PtpClock&) = delete;

    [[nodiscard]] std::int32_t number() const { return number_; }
    [[nodiscard]] std::optional<PtpReading> read() const;

private:
    std::int32_t number_;
    int fd_;
};

// The kernel's wall clock, and beside it a PTP clock where there is one. Copies share the device.
class WallReader {
public:
    WallReader();
    WallClock operator()() const;

private:
    std::shared_ptr<PtpClock> ptp_;
    std::int64_t ptp_clock_error_ns_ = 0;
};

}  // namespace sla::time
