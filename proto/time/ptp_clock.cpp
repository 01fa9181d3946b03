#include "proto/time/ptp_clock.h"

#include "proto/time/clock_variables.h"

#include <fcntl.h>
#include <linux/ptp_clock.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sla::time {
namespace {

constexpr std::int32_t kMaxDevices = 16;
constexpr unsigned kSamples = 5;

std::int64_t nanoseconds(const ptp_clock_time& time) {
    return static_cast<std::int64_t>(time.sec) * 1'000'000'000 + time.nsec;
}

}  // namespace

std::optional<PtpReading> reading_of(const std::vector<PtpSample>& samples) {
    std::optional<PtpReading> best;
    for (const PtpSample& sample : samples) {
        const std::int64_t width = sample.after_ns - sample.before_ns;
        if (width < 0) continue;  // the wall clock was set in between
        const std::int64_t error = width / 2 + 1;
        if (best && best->error_ns <= error) continue;
        best = PtpReading{sample.device_ns - (sample.before_ns + width / 2), error};
    }
    return best;
}

std::unique_ptr<PtpClock> PtpClock::open(std::string& why, const std::string& directory) {
    why = "no PTP clock is here";
    for (std::int32_t number = 0; number < kMaxDevices; ++number) {
        const std::string path = directory + "/ptp" + std::to_string(number);
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            why = path;
            return std::make_unique<PtpClock>(number, fd);
        }
        if (errno != ENOENT) why = path + " cannot be read: " + std::strerror(errno);
    }
    return nullptr;
}

PtpClock::~PtpClock() {
    ::close(fd_);
}

// The kernel's precise cross reading where the hardware has one, else bracketed readings.
std::optional<PtpReading> PtpClock::read() const {
    ptp_sys_offset_precise precise{};
    if (::ioctl(fd_, PTP_SYS_OFFSET_PRECISE, &precise) == 0) {
        const std::int64_t system = nanoseconds(precise.sys_realtime);
        return reading_of({{system, nanoseconds(precise.device), system}});
    }
    ptp_sys_offset_extended extended{};
    extended.n_samples = kSamples;
    if (::ioctl(fd_, PTP_SYS_OFFSET_EXTENDED, &extended) != 0) return std::nullopt;
    std::vector<PtpSample> samples;
    for (unsigned i = 0; i < std::min(extended.n_samples, kSamples); ++i) {
        const auto& one = extended.ts[i];
        samples.push_back({nanoseconds(one[0]), nanoseconds(one[1]), nanoseconds(one[2])});
    }
    return reading_of(samples);
}

WallReader::WallReader() : ptp_clock_error_ns_(vouched_error_ns()) {
    std::string why;
    ptp_ = PtpClock::open(why);
}

WallClock WallReader::operator()() const {
    WallClock wall = read_wall_clock();
    if (ptp_ == nullptr) return wall;
    const auto reading = ptp_->read();
    if (!reading) return wall;
    wall.ptp_device = ptp_->number();
    wall.ptp_offset_ns = reading->offset_ns;
    wall.ptp_error_ns = reading->error_ns;
    wall.ptp_clock_error_ns = ptp_clock_error_ns_;
    return wall;
}

}  // namespace sla::time
